def f (x: i32) = x..x...10
