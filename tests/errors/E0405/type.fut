type pair [n] = (i32, i32)
