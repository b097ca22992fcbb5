-- All kinds of inputs and outputs.
-- ==
-- tags { small }
-- input { [1, 2, 3] 1i64 } output { 2 }
-- "a name" input { [1, 2, 3] 0i64 }
-- input @ data/small.in output @ data/small.out
-- input @ data/packed.in.gz output { 3 }
-- random input { [10]i32 3i64 } auto output
-- script input { (numbers 3, 2i64) } output { 2 }
-- script input @ data/count.script output { 4 }
-- input { [1] 1i64 } error: out of bounds
-- compiled input { [1] 0i64 } output { 2 }
-- structure nest { index 1 scan 0 }
entry main (xs: []i32) (i: i64): i32 = xs[i]

entry numbers (n: i64): []i32 = map i32.i64 (iota n)

entry count (n: i64): []i32 = map i32.i64 (iota (n + 1))

-- ==
-- entry: both other
-- input { 5 } output { 6 true }
entry both (x: i32) = (x + 1, x > 0)

entry other (x: i32) = (x + 1, true)

-- ==
-- property: associative
#[prop]
entry associative (t: (i32, i32, i32)) = (t.0 + t.1) + t.2 == t.0 + (t.1 + t.2)
