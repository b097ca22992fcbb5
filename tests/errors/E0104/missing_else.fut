def f (x: i32) = if x > 0 then 1

def g: i32 = 1
