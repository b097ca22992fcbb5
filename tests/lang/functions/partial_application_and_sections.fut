def add (a: i32) (b: i32) (c: i32) : i32 = a + b + c

-- ==
-- entry: f
-- input { [1, 10] } output { [4, -5] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry f [n] (xs: [n]i32) : [n]i32 =
  xs |> map (add 1 2) |> map (+ 1) |> map (2 -) |> map (3 `add` 4)

def g [n] (ps: [n]{x: i32, y: (i32, bool)}) : [n]bool = map (.y.1) ps

-- ==
-- entry: h
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [3, 7] }
-- input { empty([0][4]i32) } output { empty([0]i32) }
entry h [n] (xss: [n][4]i32) : [n]i32 = map (.[2]) xss

-- ==
-- entry: of_pairs
-- input { [1, 2] [true, false] } output { [true, false] }
entry of_pairs [n] (xs: [n]i32) (bs: [n]bool) : [n]bool =
  g (map2 (\x b -> {x, y = (x, b)}) xs bs)
