def f (x: i32) = (x + (1 * 2)

def g: i32 = 1
