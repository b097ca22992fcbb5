-- A literal is data: its elements are no statements.
-- growth: 1000 2000 4000
-- code: c device
def table : []f64 =
  [ 0.5
-- repeat
  , {i}.5
-- end
  ]
entry main (i: i64) : f64 = table[i] + f64.sum table
