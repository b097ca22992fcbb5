-- The bounds of a slice without elements are not compared with those of the array.
-- ==
-- input { [1, 2, 3] 3i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 4i64 } output { empty([0]i32) }
-- input { [1, 2, 3] -1i64 } output { empty([0]i32) }
-- input { empty([0]i32) 7i64 } output { empty([0]i32) }

entry main (xs: []i32) (i: i64) : []i32 = xs[i:i]
