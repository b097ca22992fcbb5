-- Arrays whose rows differ in length are read and written row by row.
-- ==
-- entry: rows
-- input { [[1i64, 2i64], [], [3i64]] }
-- output { [[1i64, 2i64], empty([0]i64), [3i64]] }
-- input { [[1, 2], [3, 4]] }
-- output { [[1, 2], [3, 4]] }
-- input { empty([0][?]i64) }
-- output { [] }

-- ==
-- entry: lengths
-- input { [[1, 2], [], [3]] }
-- output { [2i64, 0i64, 1i64] }

-- ==
-- entry: deep
-- input { [[[1, 2], []], [], [[3], [4, 5, 6]]] 2 }
-- output { [[[2, 4], []], [], [[6], [8, 10, 12]]] }

-- ==
-- entry: up_to
-- input { [0i64, 2i64, 1i64] }
-- output { [empty([0]i64), [0, 1], [0]] }
entry rows (xss: [][?]i64) : [][?]i64 = xss

entry lengths (xss: [][?]i64) : []i64 = map length xss

entry deep (xsss: [][?][?]f32) (k: f32) : [][?][?]f32 =
  map (map (map (* k))) xsss

entry up_to (ns: []i64) : [][?]i64 = map iota ns
