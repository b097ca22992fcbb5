-- | What the tests of the Python package call.

type point = {x: f32, y: f32}
type shape = #circle f32 | #rectangle f32 f32 | #nothing

-- | A tree of numbers.
type rec tree = #leaf | #node tree i32 tree

-- | The inner product.
entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  reduce (+) 0 (map2 (*) xs ys)

entry scale [n] (k: f32) (xs: [n]f32) : [n]f32 = map (* k) xs

entry total [n] (xs: [n]f32) : f32 = reduce (+) 0 xs

entry clear [n] (xs: *[n]f32) (i: i64) : *[n]f32 = xs with [i] = 0

entry pick [n] (xs: [n]i32) (i: i64) : i32 = xs[i]

entry forever (x: i64) : i64 = loop y = x while y >= 0 do y * 3 & 0xffff

entry scalars (a: i8) (b: u64) (c: f16) (d: bool) : (i8, u64, f16, bool) =
  (a + 1, b + 1, c + c, !d)

entry nothing (_: ()) : () = ()

entry matmul [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose b)) a

entry statistics [n] (xs: [n]f64) : {mean: f64, deviations: [n]f64} =
  let mean = reduce (+) 0 xs / f64.i64 n
  in {mean, deviations = map (\x -> x - mean) xs}

entry point (x: f32) (y: f32) : point = {x, y}

entry norm (p: point) : f32 = f32.sqrt (p.x * p.x + p.y * p.y)

entry turned [n] (ps: [n]point) : [n]point = map (\p -> {x = -p.y, y = p.x}) ps

entry pairs [n] (ps: [n](i32, point)) : [n]i32 =
  map (\(k, p) -> k + i32.f32 p.x) ps

entry triangle (n: i64) : [n][?]i64 = map (\i -> map (* i) (iota i)) (iota n)

entry row_sums [n] (xs: [n][?]i64) : [n]i64 = map (\row -> reduce (+) 0 row) xs

entry pixels [n] (xs: [n][?][3]u8) : [n]i64 =
  map (\row -> i64.sum (map (\p -> i64.u8 p[0]) row)) xs

entry area (s: shape) : f32 =
  match s
  case #circle r -> 3 * r * r
  case #rectangle a b -> a * b
  case #nothing -> 0

entry grown (s: shape) : shape =
  match s
  case #circle r -> #circle (2 * r)
  case #rectangle a b -> #rectangle (2 * a) b
  case #nothing -> #nothing

entry areas [n] (ss: [n]shape) : [n]f32 = map area ss

entry shapes (n: i64) : [n]shape =
  map (\i ->
    if i % 2 == 0
    then #circle (f32.i64 i)
    else #rectangle (f32.i64 i) 1) (iota n)

def inserted (t: tree) (x: i32) : tree =
  match t
  case #leaf -> #node #leaf x #leaf
  case #node l y r ->
    if x < y then #node (inserted l x) y r else #node l y (inserted r x)

def sum (t: tree) : i32 =
  match t
  case #leaf -> 0
  case #node l x r -> sum l + x + sum r

entry insert (t: tree) (x: i32) : tree = inserted t x

entry tree_sum (t: tree) : i32 = sum t

entry chain (n: i32) : tree =
  loop (t: tree) = #leaf for i < n do #node t i #leaf
