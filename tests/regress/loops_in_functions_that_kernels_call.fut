-- A thread of a kernel calls functions with loops in them, which are not for vectors there.
-- ==
-- input { [0i64, 1i64, 2i64, 20i64] } output { [7i64, 7i64, 10i64, 577i64] }
#[noinline]
def scaled (factor: i64) (xs: []i64) : ([]i64, i64) = (map (factor *) xs, 7)

#[noinline]
def scaled_sum (n: i64) : i64 =
  let (ys, more) = scaled 3 (iota n)
  in more + i64.sum ys

entry main (lengths: []i64) : []i64 = map scaled_sum lengths
