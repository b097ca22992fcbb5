-- ==
-- entry: append_zero
-- input { [1, 2] } output { [1, 2, 0] }
-- input { empty([0]i32) } output { [0] }
entry append_zero [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [0]

def pairs [n] (xs: [2 * n]i32) : [n](i32, i32) =
  map (\i -> (xs[2 * i], xs[2 * i + 1])) (iota n)

-- ==
-- entry: grow
-- input { 2i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { [0i64] }
-- input { -1i64 } output { empty([0]i64) }
-- input { -2i64 } error:
entry grow (n: i64) : [n + 1]i64 = iota (n + 1)

-- ==
-- entry: of_pairs
-- input { [1, 2, 3, 4] } output { [1, 3] [2, 4] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { [1, 2, 3] } error:
entry of_pairs [n] (xs: [n]i32) : ([]i32, []i32) =
  unzip (pairs (xs :> [2 * (n / 2)]i32))
