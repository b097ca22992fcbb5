def depth 'a (n: i64) (x: a) : i64 = if n == 0 then 0 else depth (n - 1) (x, x)
