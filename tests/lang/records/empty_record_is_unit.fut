-- ==
-- input { 3 } output { 3 }

def f () (x: i32) = x

def main (x: i32) : i32 = f () x
