-- ==
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }

entry main (n: i64) : [n]i64 =
  let triangle: [n][?]i64 = tabulate n iota
  in lengths triangle
