-- ==
-- input { } output { 2i64 [206u8, 187u8] }

def main : (i64, []u8) =
  let s = "λ"
  in (length s, s)
