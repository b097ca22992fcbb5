-- ==
-- input { 2i64 } output { 8i64 }

entry main (i: i64) : i64 =
  let rows = map iota (iota 3)
  let rows = rows with [i, 0] = 7
  in i64.sum rows[i]
