-- An array of functions, two of which are called for each element.
-- growth: 75 150 300
entry main (n: i64) : []i64 =
  let fs =
    [ \x -> x
-- repeat
    , \x -> x * {i} + n
-- end
    ]
  in map (\i -> fs[i % {n}] (fs[(i * 7) % {n}] i)) (iota n)
