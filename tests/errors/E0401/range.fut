def indexed [n] (xs: [n]i32) = zip (0i64..1..<10) xs
