def one: i64 = 1.0
