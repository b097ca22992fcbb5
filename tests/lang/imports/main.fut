-- ==
-- input { 2f64 } output { 12.566370614359172f64 4f64 }

import "parts/circle"

module sq = import "parts/square"

def main (r: f64) : (f64, f64) = (circle_area r, sq.area r)
