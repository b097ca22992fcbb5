-- The function may return an array that it captured.
def main (f: i32 -> []i32) : []i32 =
  let xs = f 1
  in xs with [0] = 2
