type vec [n] = [n]f32

def f (xs: vec [?]) : f32 = f32.sum xs
