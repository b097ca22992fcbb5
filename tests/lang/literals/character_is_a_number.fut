-- ==
-- input { } output { 97u8 97i32 }

def main : (u8, i32) = ('a', 'a' + 0i32)
