def a (xs: []f64): f64 = sum xs
def b = sin 1.0
def c (x: f32) = sqrt x
def d (a: i32) (b: i32) = max a b
def e (xs: []f64) = map sqrt xs
def f (x: i64) = x |> f64.i64 |> exp
def g = pi
