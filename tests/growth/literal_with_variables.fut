-- Of a literal that contains variables the constants are data.
-- growth: 1500 3000 6000
-- code: c device
entry main (x: i64) (i: i64) : (i64, i64) =
  let table =
    [ x
-- repeat
    , {i}
-- end
    , x
    ]
  in (table[i] + table[i + 1], i64.sum table)
