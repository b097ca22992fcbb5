-- The function may return what it captured, which the array keeps alive.
def main (xs: *[]i32) : []i32 =
  let fs = [\(_: i32) -> xs]
  let ys = fs[0] 0
  in ys with [0] = 1
