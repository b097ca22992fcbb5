def middle (xs: []i64) = xs[1..3]
