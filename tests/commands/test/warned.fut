-- ==
-- warning: W0601
-- warning: no such words
def main (x: i32): i32 = match x case y -> y case _ -> 1
