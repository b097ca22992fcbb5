-- ==
-- input { 2 } output { 4 }

type double = i32

def double (x: double) : double = 2 * x

def main (x: i32) : i32 = double x
