def next (i: i64) = i++
