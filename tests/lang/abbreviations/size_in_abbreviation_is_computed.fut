-- ==
-- input { [1, 2, 3] } output { [1, 2, 3, 0] }

type longer [n] 'a = [n + 1]a

def with_zero [n] (xs: [n]i32) : longer [n] i32 = xs ++ [0]

def main [n] (xs: [n]i32) : [n + 1]i32 = with_zero xs
