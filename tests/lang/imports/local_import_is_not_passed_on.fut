-- ==
-- input { 3f64 } output { 10f64 }

import "parts/hides_its_import"

def area (x: f64) : f64 = x + 1

def main (x: f64) : f64 = area x + six - 0 * doubled_area x
