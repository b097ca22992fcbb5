-- ==
-- input { 3i64 } output { [0i64, 1i64, 2i64] }

def upto (n: i64) : [n]i64 = 0..<n

def main (n: i64) : []i64 = upto n
