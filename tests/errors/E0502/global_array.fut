def table : [3]i32 = [1, 2, 3]

def main (x: i32) : []i32 =
  let ys = table
  in ys with [0] = x
