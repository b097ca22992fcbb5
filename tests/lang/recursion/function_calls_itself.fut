def power (x: f64) (n: i64) : f64 =
  if n == 0
  then 1
  else if n % 2 == 0
  then let half = power x (n / 2) in half * half
  else x * power x (n - 1)

-- ==
-- entry: powers
-- input { [2f64, 1f64, -1f64, 0f64, 0.5f64] } output { [1024f64, 1f64, 1f64, 0f64, 0.0009765625f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry powers [n] (xs: [n]f64) : [n]f64 = map (\x -> power x 10) xs

-- ==
-- entry: of_power
-- input { 3f64 0i64 } output { 1f64 }
-- input { 3f64 1i64 } output { 3f64 }
-- input { 3f64 5i64 } output { 243f64 }
entry of_power (x: f64) (n: i64) : f64 = power x n
