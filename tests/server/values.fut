-- Plain values, consumption and failures.

entry add (x: i32) (y: i32) : i32 = x + y

entry sum [n] (xs: [n]f64) : f64 = reduce (+) 0 xs

entry fill [n] (xs: *[n]i32) (i: i64) (x: i32) : *[n]i32 = xs with [i] = x

entry divide (x: i32) (y: i32) : i32 = x / y

#[prop(size(10))]
entry holds (x: i32) : bool = x == x
