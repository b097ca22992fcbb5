def points (xsss: [][?][3]f32) : []i64 = map length xsss

def deep [n] (xsss: [n][?][?]i32) : [n][?]i64 = map (map length) xsss

def pairs [n] (xss: [n][?](i32, bool)) : [n][?]i32 = map (map (.0)) xss

-- ==
-- entry: of_points
-- input { [2i64, 0i64, 3i64] } output { [2i64, 0i64, 3i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry of_points [n] (is: [n]i64) : []i64 =
  points (map (\i -> replicate i [1, 2, 3]) is)

-- ==
-- entry: of_deep
-- input { [2i64, 0i64, 3i64] } output { [2i64, 0i64, 3i64] [2i64, 3i64, 3i64, 4i64, 5i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry of_deep [n] (is: [n]i64) : ([n]i64, []i64) =
  let xss = deep (map (\i -> map (\j -> replicate (j + i) 7) (iota i)) is)
  in (lengths xss, irregular.flatten xss)

-- ==
-- entry: of_pairs
-- input { [2i64, 0i64, 1i64] [1, 2, 3] } output { [2i64, 0i64, 1i64] [1, 2, 3] }
entry of_pairs [n] (lens: [n]i64) (xs: []i32) : ([n]i64, []i32) =
  let xss = pairs (segment lens (map (\x -> (x, x > 1)) xs))
  in (lengths xss, irregular.flatten xss)
