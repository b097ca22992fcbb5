-- ==
-- input { 3i64 } output { [3i64, 4i64] }

def fs : [2](i64 -> []i64) = [\n -> iota n, \n -> iota (n + 1)]

def same_size : [2]((n: i64) -> [n]i64) = [iota, \n -> replicate n 0]

entry main (n: i64) : [2]i64 = map (\f -> length (f n)) fs
