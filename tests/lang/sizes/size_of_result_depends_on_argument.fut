-- ==
-- input { 2i64 } output { [2i64, 2i64, 2i64, 2i64] }

def doubled (n: i64) : [2 * n]i64 = replicate (2 * n) n

def main (n: i64) : []i64 = doubled n
