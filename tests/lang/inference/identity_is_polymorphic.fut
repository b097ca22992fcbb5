-- ==
-- input { 3 true } output { 3 true }

def id x = x

def main (x: i32) (b: bool) : (i32, bool) = (id x, id b)
