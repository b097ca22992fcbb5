def power (x: f64) (n: i64) : f64 =
  if n == 0
  then 1
  else if n % 2 == 0
  then let half = power x (n / 2) in half * half
  else x * power x (n - 1)

def powers [n] (xs: [n]f64) : [n]f64 = map (\x -> power x 10) xs
