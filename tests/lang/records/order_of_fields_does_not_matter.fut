-- ==
-- input { 3 4 } output { 7 }

def sum ({y, x}: {x: i32, y: i32}) : i32 = x + y

def main (a: i32) (b: i32) : i32 = sum {y = b, x = a}
