-- Functions that meet are dispatched where the first of them is applied, although some are written further below.
-- ==
-- entry: apply_each
-- input { [3i64, 0i64] [4i64, 5i64] } output { [12i64, 5i64] }

-- ==
-- entry: composed
-- input { [0u8, 1u8] [3i64, 2i64] [1i64, 10i64] } output { [8i64, 26i64] }
def op (k: u8) (a: i64) : i64 -> i64 =
  match k
  case 0 -> (+ a)
  case _ -> \x -> x * a

entry apply_each [n] (as: [n]i64) (xs: [n]i64) : [n]i64 =
  map2 (\f x -> f x) (map2 op (map (\a -> if a > 0 then 1 else 0) as) as) xs

entry composed [n] [m] (ks: [n]u8) (as: [n]i64) (xs: [m]i64) : [m]i64 =
  let all = reduce (\f g -> \x -> g (f x)) (\x -> x) (map2 op ks as)
  in map all xs
