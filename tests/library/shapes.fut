type point = {x: f32, y: f32}
type~ shape = #circle f32 | #polygon ([]f32) i32
-- | The inner product.
entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = reduce (+) 0 (map2 (*) xs ys)
entry matmul [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose b)) a
entry same [n] (xs: [n]i32) : [n]i32 = xs
entry clear [n] (xs: *[n]i32) (i: i64) : *[n]i32 = xs with [i] = 0
entry pick [n] (xs: [n]i32) (i: i64) : i32 = xs[i]
entry stats [n] (xs: [n]f32) : (f32, [n]f32) = (reduce (+) 0 xs, scan (+) 0 xs)
entry centre [n] (ps: [n]point) : point =
  {x = reduce (+) 0 (map (.x) ps), y = reduce (+) 0 (map (.y) ps)}
entry points [n] (xs: [n]f32) (ys: [n]f32) : [n]point =
  map2 (\x y -> {x, y}) xs ys
entry area (s: shape) : f32 =
  match s case #circle r -> r * r case #polygon xs k -> f32.sum xs + f32.i32 k
entry grown (s: shape) : shape =
  match s
  case #circle r -> #circle (2 * r)
  case #polygon xs k -> #polygon (map (* 2) xs) (k + 1)
entry flip (b: bool) (x: u8) (h: f16) : (bool, u8, f16) = (!b, x + 1, h + h)
entry evens [n] (xs: [n]i64) : []i64 = filter (\x -> x % 2 == 0) xs
entry digits [n] (xs: [n]i64) : [n]i64 = map (\x -> x / 7 % 10) xs
def table = map (* 3) (iota 100)
entry look (i: i64) : i64 = table[i]
entry all_of_it : []i64 = table
entry histogram [n] (xs: [n]i64) : []i64 =
  reduce_by_index (replicate 10 0) (+) 0 (map (% 10) xs) (replicate n 1)
def deep (n: i64) : i64 = if n <= 0 then 0 else 1 + deep (n - 1)
entry depth (n: i64) : i64 = deep n
entry triangle (n: i64) : [n][?]i64 = map (\i -> map (* i) (iota i)) (iota n)
entry row_sums [n] (xs: [n][?]i64) : [n]i64 = map (\row -> reduce (+) 0 row) xs
entry tail [n] (xs: [n][?]i64) : [][?]i64 = drop 2 xs

entry areas [n] (ss: [n]shape) : [n]f32 = map area ss
entry some (n: i64) : [n]shape =
  map (\i ->
    if i % 2 == 0
    then #circle (f32.i64 i)
    else #polygon (map f32.i64 (iota i)) 1) (iota n)
