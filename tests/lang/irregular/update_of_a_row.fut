-- A row is replaced by one of the same length.
-- ==
-- input { 2i64 } output { 10i64 }
-- input { 1i64 } error:

entry main (i: i64) : i64 =
  let rows = map iota (iota 3)
  let rows = rows with [i] = [5, 5]
  in i64.sum (map i64.sum rows[i:i + 1])
