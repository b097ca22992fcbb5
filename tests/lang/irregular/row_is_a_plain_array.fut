def longest [n] (xss: [n][?]f32) : i64 = i64.maximum (map length xss)

def ends [n] (xss: [n][?]f32) : [n]f32 = map (\row -> row[length row - 1]) xss

def doubled [n] (xss: [n][?]f32) : [n][?]f32 = map (map (* 2)) xss

def pick [n] (xss: [n][?]f32) (i: i64) : []f32 = xss[i]

-- ==
-- entry: of_longest
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] } output { 2i64 }
-- input { [0i64] empty([0]f32) } output { 0i64 }
-- input { empty([0]i64) empty([0]f32) } output { -9223372036854775808i64 }
entry of_longest [n] (lens: [n]i64) (xs: []f32) : i64 =
  longest (segment lens xs)

-- ==
-- entry: of_ends
-- input { [2i64, 1i64] [1f32, 2f32, 3f32] } output { [2f32, 3f32] }
-- input { empty([0]i64) empty([0]f32) } output { empty([0]f32) }
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] } error:
entry of_ends [n] (lens: [n]i64) (xs: []f32) : [n]f32 = ends (segment lens xs)

-- ==
-- entry: of_doubled
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] } output { [2i64, 0i64, 1i64] [2f32, 4f32, 6f32] }
-- input { empty([0]i64) empty([0]f32) } output { empty([0]i64) empty([0]f32) }
entry of_doubled [n] (lens: [n]i64) (xs: []f32) : ([n]i64, []f32) =
  let xss = doubled (segment lens xs)
  in (lengths xss, irregular.flatten xss)

-- ==
-- entry: of_pick
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] 0i64 } output { [1f32, 2f32] }
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] 1i64 } output { empty([0]f32) }
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] 3i64 } error:
entry of_pick [n] (lens: [n]i64) (xs: []f32) (i: i64) : []f32 =
  pick (segment lens xs) i
