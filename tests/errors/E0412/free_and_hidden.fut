def empty [n] : ?[k].([0][n]i32, [k]i64) = ([], filter (> 2) (iota 4))
