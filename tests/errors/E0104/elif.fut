def sign (x: i64): i64 = if x > 0 then 1 elif x < 0 then -1 else 0
