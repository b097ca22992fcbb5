-- ==
-- input { 4i64 } output { 6i64 }

def main (n: i64) : i64 =
  let total = (\(k: i64) -> i64.sum (iota k)) n
  in total
