-- ==
-- input { 3 } output { 6 }

type^ step = i32 -> i32

def twice (f: step) : step = \x -> f (f x)

def main (x: i32) : i32 = twice (+ 1) x + 1
