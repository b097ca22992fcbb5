def first ((a, b): (i32, i32)) = a
