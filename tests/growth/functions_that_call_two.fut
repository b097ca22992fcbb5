-- Two functions at each level, both of which call both of the level before.
-- growth: 16 32 64
entry main (n: i64) : i64 =
  let f0 = \x -> x + n
  let g0 = \x -> x * n
-- repeat
  let f{i} = \x -> f{i-1} x + g{i-1} (x + {i})
  let g{i} = \x -> g{i-1} x * f{i-1} (x - {i})
-- end
  in f{n} n + g{n} n
