-- ==
-- input { 7 2 } output { 3 }

def div (a: i32) (b: i32) : i32 = a / b

def main (a: i32) (b: i32) : i32 = a `div` b
