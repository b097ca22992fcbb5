-- Each element of a map has a loop that hands on an array of rows, whose number and lengths change.
-- ==
-- input { 4i64 [3i64, 1i64, 2i64, 0i64] } output { [[3i64, 1i64, 2i64, 0i64], [1i64, 0i64, 2i64, 3i64], [0i64, 1i64, 2i64, 3i64], [0i64, 1i64, 2i64, 3i64]] }
-- input { 2i64 empty([0]i64) } output { empty([2][0]i64) }
def split_by_pivot (xs: []i64) : [3][?]i64 =
  let pivot = xs[length xs / 2]
  in [filter (< pivot) xs, filter (== pivot) xs, filter (> pivot) xs]

def next_level [m] (parts: [m][?]i64) : [][?]i64 =
  flatten (map split_by_pivot (filter (\part -> length part > 0) parts))

def after_levels [n] (levels: i64) (xs: [n]i64) : [n]i64 =
  let parts =
    loop (parts: [][?]i64) = segment [n] xs for _i < levels do
      next_level parts
  in sized n (irregular.flatten parts)

entry main [n] (levels: i64) (xs: [n]i64) : [levels][n]i64 =
  map (\level -> after_levels level xs) (iota levels)
