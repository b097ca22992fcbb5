def a (x: i64) = if x > 1 then True else false
def b (xs: []i64) = len xs
def c (x: i64) = return x
def d (x: i64) = print x
def e (x: i64) (y: i64) = mod x y
def f (x: i64) = float x
def g = None
