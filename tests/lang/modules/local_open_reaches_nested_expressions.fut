-- ==
-- input { 2i64 3i64 } output { 8i64 }

def main (a: i64) (b: i64) : i64 = i64.(loop x = 1 for _i < b do x * a)
