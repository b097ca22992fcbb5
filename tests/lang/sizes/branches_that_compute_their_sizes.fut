-- Sizes of branches that are computed in different ways differ as a whole: the parts of one are not made those of the other.
-- ==
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] [1, 3] } output { [2i64, 4i64] }
def cut [k] 'a (c: i64) (xs: [k]a) : []a = xs[:i64.max 0 (i64.min c k)]

entry main [n] [m] (fulls: [n][m]i32) (us: [n]i32) : [n]i64 =
  let rows: [n][?]i32 = map (\u -> replicate (i64.i32 u) u) us
  let rows: [n][?]i32 =
    map3 (\full xs u -> if u > 2 then cut 40 full else xs ++ cut 1 full)
         fulls
         rows
         us
  in map length rows
