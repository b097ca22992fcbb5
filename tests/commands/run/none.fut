def nothing : i32 = 1
