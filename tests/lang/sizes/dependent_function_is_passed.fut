-- ==
-- input { 3i64 } output { [0i64, 1i64, 2i64] [7i64, 7i64, 7i64] }

def apply (f: (k: i64) -> [k]i64) (n: i64) : [n]i64 = f n

def main (n: i64) : ([]i64, []i64) =
  (apply iota n, apply (\k -> replicate k 7) n)
