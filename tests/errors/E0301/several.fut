def f : i32 = true

def g : bool = 1.5f32

def h (x: i32) : bool = f + x
