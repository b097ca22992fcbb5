-- ==
-- input { } output { 255i32 5i32 1000000i32 255u8 }

def main : (i32, i32, i32, u8) = (0xFF, 0b101, 1_000_000, 0xff)
