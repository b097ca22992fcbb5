def set (xs: *[]i32) (i: i64) : i32 = (xs with [i] = 1)[0]

def main (n: i64) : i32 =
  let f =
    loop f = \(_: i64) -> 0 for i < n do
      let xs = replicate n (f i)
      in set xs
  in f 0
