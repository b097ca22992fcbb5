def f (x: f64) = f64.abs -x
def g (x: f64) = f64.max x -1
