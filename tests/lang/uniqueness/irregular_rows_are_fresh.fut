-- The rows of an irregular array can be replaced in place.
-- ==
-- input { [1i64, 2i64] } output { 3i64 }

def main (ns: [2]i64) : i64 =
  let xss = map (\n -> iota n) ns
  let xss[0] = [2]
  in xss[0][0] + xss[1][1]
