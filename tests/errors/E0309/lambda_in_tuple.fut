def same (p: (i32, i32 -> i32)) (q: (i32, i32 -> i32)) = p == q
