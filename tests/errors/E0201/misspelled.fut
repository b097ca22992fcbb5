def length_of (xs: []i32) = lenght xs
