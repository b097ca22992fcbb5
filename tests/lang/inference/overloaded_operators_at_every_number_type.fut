-- ==
-- input { 7u8 7i64 7.5f64 } output { 1u8 1i64 1.5f64 }

def main (a: u8) (b: i64) (c: f64) : (u8, i64, f64) = (a % 2, b % 2, c % 2)
