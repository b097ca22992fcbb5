-- ==
-- input { [1i64, 2i64, 3i64] 10i64 } output { 16i64 }

entry main [n] (xs: [n]i64) (y: i64) : i64 =
  let steps = map (\a -> \x -> x + a) xs
  let all = reduce (\f g -> \x -> f (g x)) (\x -> x) steps
  in all y
