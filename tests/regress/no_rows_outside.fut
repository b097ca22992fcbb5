-- A slice of no rows may begin outside of the array; where rows begin is not read there.
-- ==
-- input { [2i64, 0, 1] -1i64 0i64 } output { 0i64 empty([0]i64) }
-- input { [2i64, 0, 1] -1000000i64 0i64 } output { 0i64 empty([0]i64) }
-- input { [2i64, 0, 1] 3i64 0i64 } output { 0i64 empty([0]i64) }
-- input { [2i64, 0, 1] 0i64 2i64 } output { 2i64 [0i64, 1i64] }
-- input { [2i64, 0, 1] 2i64 1i64 } output { 1i64 [0i64] }
entry main [n] (lens: [n]i64) (from: i64) (count: i64) : (i64, []i64) =
  let rows = map (\k -> iota k) lens
  let part = opaque rows[from:from + count]
  in (i64.sum (map length part), irregular.flatten part)
