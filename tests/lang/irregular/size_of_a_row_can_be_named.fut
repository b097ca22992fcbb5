def repeat [n] (xss: [n][?]i64) (i: i64) : []i64 =
  let [k] (row: [k]i64) = xss[i]
  in map (\j -> row[j] * k) (iota k)

-- ==
-- entry: of_repeat
-- input { [1i64, 2i64, 0i64] [1i64, 2i64, 3i64] 0i64 } output { [1i64] }
-- input { [1i64, 2i64, 0i64] [1i64, 2i64, 3i64] 1i64 } output { [4i64, 6i64] }
-- input { [1i64, 2i64, 0i64] [1i64, 2i64, 3i64] 2i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 0i64] [1i64, 2i64, 3i64] 3i64 } error:
entry of_repeat [n] (lens: [n]i64) (xs: []i64) (i: i64) : []i64 =
  repeat (segment lens xs) i
