-- ==
-- input { 7i64 } output { false }
-- input { 10i64 } output { true }

def even (n: i64) : bool = n == 0 || odd (n - 1)
with def odd (n: i64) : bool = n != 0 && even (n - 1)

entry main (n: i64) : bool = even n
