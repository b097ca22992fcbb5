def apply 'a '~b (f: a -> b) (x: a) : b = f x

-- ==
-- entry: up_to
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { -1i64 } error:
entry up_to (n: i64) : []i64 = apply (\i -> iota i) n
