-- ==
-- entry: positive
-- input { [1, -2, 3] } output { [1, 3] }
-- input { [-1] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
entry positive [n] (xs: [n]i32) : ?[k].[k]i32 = filter (> 0) xs

-- ==
-- entry: count
-- input { [1, -2, 3] } output { 2i64 }
-- input { empty([0]i32) } output { 0i64 }
entry count [n] (xs: [n]i32) : i64 = length (positive xs)

-- ==
-- entry: both
-- input { [1, -2, 30] } output { [1, 30] [false, true] }
-- input { [0] } output { empty([0]i32) empty([0]bool) }
entry both [n] (xs: [n]i32) : ?[k].([k]i32, [k]bool) =
  let ys = positive xs
  in (ys, map (> 10) ys)
