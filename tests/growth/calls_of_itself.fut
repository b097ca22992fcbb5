-- A function in a thread that calls itself one time after the other.
-- growth: 50 100 200
-- code: opencl
def f (n: i64) (x: i64) : i64 =
  if n == 0 then x else
  let x0 = x
-- repeat
  let x{i} = if x{i-1} > {i} then f (n - 1) (x{i-1} + {i}) else x{i-1} * {i}
-- end
  in x{n}
entry main (n: i64) : i64 = i64.sum (map (\i -> f (i % 2) i) (iota n))
