-- ys may be as or bs; consuming it leaves cs alone.
-- ==
-- input { true [1] [2] [3] } output { [9] [3] }

def main (b: bool) (as: *[]i32) (bs: *[]i32) (cs: *[]i32) : (*[]i32, *[]i32) =
  let ys = if b then as else bs
  let ys[0] = 9
  in (ys, cs)
