-- ==
-- entry: set
-- input { [1, 2, 3] 1i64 7 } output { [1, 7, 3] }
-- input { [1, 2, 3] 3i64 7 } error:
-- input { [1, 2, 3] -1i64 7 } error:
entry set (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x

-- ==
-- entry: fill
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }
-- input { 0i64 } output { empty([0]i64) }
entry fill (n: i64) : [n]i64 =
  loop xs = replicate n 0 for i < n do
    let xs[i] = i * i
    in xs

-- ==
-- entry: swap
-- input { [1, 2, 3] 0i64 2i64 } output { [3, 2, 1] }
-- input { [1, 2, 3] 1i64 1i64 } output { [1, 2, 3] }
-- input { empty([0]i32) 0i64 0i64 } error:
entry swap [n] (xs: *[n]i32) (i: i64) (j: i64) : *[n]i32 =
  let (a, b) = (xs[i], xs[j])
  let xs[i] = b
  let xs[j] = a
  in xs
