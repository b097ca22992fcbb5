-- Each function is chosen between two that call the one before.
-- growth: 16 32 64
entry main (n: i64) : i64 =
  let f0 = \x -> x + n
-- repeat
  let f{i} = if n > {i} then (\x -> f{i-1} (x + {i})) else (\x -> f{i-1} x * {i})
-- end
  in f{n} n
