-- ==
-- input { 4i64 } output { 6i64 4i64 }

def main (n: i64) : (i64, i64) =
  let sum = loop n = 0 for i < n do n + i
  in (sum, n)
