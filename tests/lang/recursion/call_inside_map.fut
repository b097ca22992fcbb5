-- ==
-- input { 4i64 } output { 16i64 }

def leaves (depth: i64) : i64 =
  if depth == 0 then 1 else i64.sum (map (\_ -> leaves (depth - 1)) (iota 2))

entry main (depth: i64) : i64 = leaves depth
