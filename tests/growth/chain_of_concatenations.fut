-- Arrays put together one after the other: the sizes of those before are not computed again for each.
-- growth: 8 16 32
entry main (n: i64) : i64 =
  let xs0 = iota n
  let ys = xs0
-- repeat
    ++ replicate {i} n
-- end
  in length ys
