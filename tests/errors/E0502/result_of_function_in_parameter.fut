-- The functions in the array may return what the caller still has.
def main (fs: *[2](i32 -> []i32)) : []i32 =
  let ys = fs[0] 1
  in ys with [0] = 1
