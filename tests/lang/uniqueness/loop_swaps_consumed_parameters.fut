-- Two parameters that the loop consumes may change places: they never alias.
-- ==
-- input { 3i64 } output { [2i64, 0i64] [0i64, 1i64] }

def main (n: i64) : (*[2]i64, *[2]i64) =
  loop (as, bs) = (replicate 2 0, replicate 2 0) for i < n do
    let bs[i % 2] = i
    in (bs, as)
