def f (x: i64) = x // this is a comment
