entry main : []i32 = [1; 2; 3]
