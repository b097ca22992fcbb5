-- Inputs of all kinds, some of which are not measured.
-- ==
-- "right" input { [1, 2, 3] } output { 6 }
-- "wrong" input { [1, 2, 3] } output { 7 }
-- "from a script" script input { numbers 10i64 } output { 45 }
-- "not compared" random input { [100]i32 } auto output
-- "no such file" input { [1] } output @ nowhere.out
-- "left out" nobench input { [1] } output { 2 }
-- "slow" slow input { [1] } output { 1 }

-- ==
-- entry: first
-- "first" input { [4, 5] } output { 4 }
-- "nothing to take" input { empty([0]i32) } error: bounds
-- "no first" input { empty([0]i32) }

entry numbers (n: i64) : []i32 = map i32.i64 (iota n)

entry main (xs: []i32) : i32 = i32.sum xs

entry first (xs: []i32) : i32 = xs[0]
