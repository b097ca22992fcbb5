-- A chain of conditions in a map, whose branches yield arrays: the elements are put together once.
-- growth: 3 6 12
-- code: c device
def rows (i: i64) : ([]i64, []bool) =
  if i == 0 then (iota 1, [true])
-- repeat
  else if i % 17 == {i} then (map (* {i}) (iota (i % {i})), map (> {i}) (iota i))
-- end
  else ([], [])
entry main (n: i64) : ([]i64, []i64) =
  unzip (map (\i -> let (xs, bs) = rows i in (i64.sum xs, i64.sum (map i64.bool bs))) (iota n))
