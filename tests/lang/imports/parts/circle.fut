import "constants"

def circle_area (r: f64) : f64 = pi * r * r
