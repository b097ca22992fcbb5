def positive (x: i32) : Maybe i32 = if x > 0 then x else 0
