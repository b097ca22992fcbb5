-- Operators over one array, which may all be fused.
-- growth: 8 16 32
-- code: c device
entry main [n] (xs: [n]i64) : []i64 =
  let s0 = 0
-- repeat
  let x{i} = map (\v -> v * {i} + {i}) xs
  let s{i} = i64.sum x{i}
  let y{i} = map (+ s{i-1}) x{i}
-- end
  in [ s0
-- repeat
     , i64.sum y{i}
-- end
     ]
