-- ==
-- input { 3i64 } output { 3i64 }

def count (f: i64 -> ?[k].[k]i64) (n: i64) : i64 = length (f n)

def main (n: i64) : i64 = count (\x -> iota x) n
