-- The function written into the array refers to the array.
def main (fs: *[2](i32 -> i32)) : [2](i32 -> i32) =
  fs with [0] = \(x: i32) -> fs[1] (x + 1)
