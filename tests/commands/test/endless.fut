-- ==
-- input { 1 } output { 1 }
-- input { 0 } output { 1 }
def main (x: i32): i32 = loop y = x while y != 1 do y
