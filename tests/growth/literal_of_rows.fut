-- So is a literal of rows.
-- growth: 500 1000 2000
-- code: c device
entry main (i: i64) : [3]i32 =
  let table =
    [ [1, 2, 3]
-- repeat
    , [{i}, -{i}, {i}]
-- end
    ]
  in table[i]
