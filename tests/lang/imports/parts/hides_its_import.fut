local import "square"

def six = 6f64

def doubled_area (x: f64) : f64 = 2 * area x
