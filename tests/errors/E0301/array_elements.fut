def xs = [1i32, true, 3i32]
