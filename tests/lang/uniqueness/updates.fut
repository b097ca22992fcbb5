def set (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x

def fill (n: i64) : [n]i64 =
  loop xs = replicate n 0 for i < n do
    let xs[i] = i * i
    in xs

def swap [n] (xs: *[n]i32) (i: i64) (j: i64) : *[n]i32 =
  let (a, b) = (xs[i], xs[j])
  let xs[i] = b
  let xs[j] = a
  in xs
