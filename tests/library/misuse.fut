-- What callers can do wrong with a library.
type point = {x: f64, y: f64}
type~ shape = #circle f64 | #polygon ([]f64)
type rec list = #nil | #cons i64 list

entry total [n] (xs: [n]f64) : f64 = f64.sum xs
entry dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
entry scaled [n] (k: f64) (xs: [n]f64) : [n]f64 = map (* k) xs
entry cleared [n] (xs: *[n]f64) : *[n]f64 = xs with [0] = 0
entry squares (n: i64) : [n]i64 = map (\i -> i * i) (iota n)
entry flat [n] [m] (xss: [n][m]i32) : [n * m]i32 = flatten xss
entry length_of (p: point) : f64 = f64.sqrt (p.x * p.x + p.y * p.y)
entry points [n] (xs: [n]f64) (ys: [n]f64) : [n]point =
  map2 (\x y -> {x, y}) xs ys
entry turned (p: point) : point = {x = -p.y, y = p.x}
entry area (s: shape) : f64 =
  match s case #circle r -> r * r case #polygon xs -> f64.sum xs
entry grown (s: shape) : shape =
  match s
  case #circle r -> #circle (2 * r)
  case #polygon xs -> #polygon (map (* 2) xs)
entry triangle (n: i64) : [n][?]i64 = map (\i -> iota i) (iota n)
entry push (x: i64) (l: list) : list = #cons x l
entry sum (l: list) : i64 =
  (loop (l, s) = (l, 0i64)
   while (match l case #nil -> false case #cons _ _ -> true) do
     match l
     case #nil -> (l, s)
     case #cons x rest -> (rest, s + x)).1
