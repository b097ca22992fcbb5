def f (x: i32) = x + 1

def g (x: f32) = f x
