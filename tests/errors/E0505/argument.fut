def apply 'a 'b (f: a -> b) (x: a) = f x

def set (xs: *[]i32) = xs with [0] = 0

def g (xs: *[]i32) = apply set xs
