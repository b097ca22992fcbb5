def f (xs: []i32) = replicate (let n = length xs in n * n) 0i32
