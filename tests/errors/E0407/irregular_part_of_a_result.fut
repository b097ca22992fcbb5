def f (n: i64) : (i64, [][]i64) = (n, map iota (iota n))
