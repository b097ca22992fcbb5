def round_trip [n] (xss: [n][?]i32) : [n][?]i32 =
  segment (lengths xss) (irregular.flatten xss)

def threes [n] (xss: [n][?]i32) : [n][3]i32 = irregular.regular 3 xss

def longer [n] (xss: [n][3]i32) : [n][?]i32 =
  irregular.append (irregular.from_regular xss)
                   (map (\xs -> filter (> 0) xs) xss)

-- ==
-- entry: of_round_trip
-- input { [2i64, 0i64, 1i64] [1, 2, 3] } output { [2i64, 0i64, 1i64] [1, 2, 3] }
-- input { [0i64] empty([0]i32) } output { [0i64] empty([0]i32) }
-- input { empty([0]i64) empty([0]i32) } output { empty([0]i64) empty([0]i32) }
entry of_round_trip [n] (lens: [n]i64) (xs: []i32) : ([n]i64, []i32) =
  let xss = round_trip (segment lens xs)
  in (lengths xss, irregular.flatten xss)

-- ==
-- entry: of_threes
-- input { [3i64, 3i64] [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { empty([0]i64) empty([0]i32) } output { empty([0][3]i32) }
-- input { [3i64, 2i64] [1, 2, 3, 4, 5] } error:
-- input { [4i64, 2i64] [1, 2, 3, 4, 4, 5] } error:
entry of_threes [n] (lens: [n]i64) (xs: []i32) : [n][3]i32 =
  threes (segment lens xs)

-- ==
-- entry: of_longer
-- input { [[1, -2, 3], [-1, -1, -1]] } output { [5i64, 3i64] [1, -2, 3, 1, 3, -1, -1, -1] }
-- input { empty([0][3]i32) } output { empty([0]i64) empty([0]i32) }
entry of_longer [n] (xss: [n][3]i32) : ([n]i64, []i32) =
  let yss = longer xss
  in (lengths yss, irregular.flatten yss)
