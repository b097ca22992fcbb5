-- ==
-- input { 3i64 } output { [1i64, 2i64, 3i64] }

def counted (n: i64) : [n]i64 = 1..2...n

def main (n: i64) : []i64 = counted n
