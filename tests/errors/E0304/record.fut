def f (r: {x: i32}) = r 1i32
