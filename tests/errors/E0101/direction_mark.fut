def access‮ = 1i32
