-- ==
-- input { [2i64, 0i64, 3i64] } output { [0i64, 0i64, 1i64] }

entry main [n] (is: [n]i64) : [n]i64 =
  let cubes: [n][?][?]i64 = map (\i -> map (\j -> iota j) (iota i)) is
  in map (\square -> i64.sum (map i64.sum square)) cubes
