-- Looking ahead saves an array. The weights and the sum both read the numbers, so a greedy plan makes them one
-- operator, and the weights have to be stored until the mean is known. The best plan computes them where they are used.
-- `tests/commands/dev` has the costs of both plans.
-- ==
-- input { [1.0, 2.0, 3.0, 6.0] } output { [-2.0, -0.5, 0.0, 0.5] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- structure nest { reduce 1 map 1 fused 0 }
def mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n

entry main [n] (xs: [n]f64) : [n]f64 =
  let weights = map (\x -> 1 / x) xs
  let average = mean xs
  let deviations = map (\x -> x - average) xs
  in map2 (*) weights deviations
