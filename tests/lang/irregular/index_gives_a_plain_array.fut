-- ==
-- input { 2i64 } output { [0i64, 2i64] }

entry main (i: i64) : []i64 =
  let rows = map iota (iota 4)
  let row = rows[i]
  in map2 (+) row row
