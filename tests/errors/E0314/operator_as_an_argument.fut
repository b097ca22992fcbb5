def total (xs: []i64) = reduce + 0 xs
