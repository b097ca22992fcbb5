def through n x = if n == 0i64 then x else back (n - 1) x
with def back n x = through n x

-- ==
-- entry: number
-- input { } output { 4i64 }
entry number : i64 = through 3 4

-- ==
-- entry: truth
-- input { } output { true }
entry truth : bool = back 3 true
