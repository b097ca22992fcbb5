-- ==
-- entry: even
-- input { 4i64 } output { true }

-- ==
-- entry: odd
-- input { 4i64 } output { false }

entry even (n: i64) : bool = n == 0 || odd (n - 1)
with entry odd (n: i64) : bool = n != 0 && even (n - 1)
