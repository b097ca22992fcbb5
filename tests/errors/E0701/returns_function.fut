entry adder (x: i32) = \(y: i32) -> x + y
