-- Calls, recursion, functions as values, sums and records: what is differentiated may be any function of any value.

def power (n: i64) (x: f64) : f64 = if n == 0 then 1 else x * power (n - 1) x

-- ==
-- entry: recursion
-- input { 3i64 2.0 } output { 12.0 12.0 12.0 }
-- input { 0i64 2.0 } output { 0.0 0.0 0.0 }
entry recursion (n: i64) (x: f64) : (f64, f64, f64) =
  ( jvp (power n) x 1
  , vjp (power n) x 1
  , if n == 0 then 0 else jvp (\x -> vjp (power n) x 1) x 1
  )

-- Two functions that call each other.
def even (n: i64) (x: f64) : f64 = if n == 0 then x else odd (n - 1) (x * x)

with def odd (n: i64) (x: f64) : f64 =
  if n == 0 then 3 * x else even (n - 1) (x + 1)

-- ==
-- entry: mutual_recursion
-- input { 3i64 2.0 } output { 120.0 120.0 }
entry mutual_recursion (n: i64) (x: f64) : (f64, f64) =
  (jvp (even n) x 1, vjp (even n) x 1)

-- Which function is applied is known only at run time.
-- ==
-- entry: functions_as_values
-- input { 0i64 2.0 } output { 4.0 4.0 }
-- input { 1i64 2.0 } output { 7.0 7.0 }
entry functions_as_values (which: i64) (x: f64) : (f64, f64) =
  let f = if which == 0 then \y -> y * y else \y -> y * 7
  in (jvp f x 1, vjp f x 1)

-- What is taken from the surroundings is constant, also if it depends on the same variable.
-- ==
-- entry: surroundings
-- input { 2.0 } output { 2.0 4.0 }
entry surroundings (x: f64) : (f64, f64) =
  (vjp (\y -> x * y) x 1, vjp (\x -> vjp (\y -> x * y) x 1 + x) x 2)

type shape = #circle f64 | #box {width: f64, height: f64}

def area (s: shape) : f64 =
  match s
  case #circle r -> f64.pi * r * r
  case #box b -> b.width * b.height

-- ==
-- entry: sum_types
-- input { 2.0 3.0 } output { 12.5663706 3.0 2.0 }
entry sum_types (x: f64) (y: f64) : (f64, f64, f64) =
  let a =
    match vjp area (#circle x) 1
    case #circle r -> r
    case #box _ -> f64.nan
  let (b, c) =
    match vjp area (#box {width = x, height = y}) 1
    case #circle _ -> (f64.nan, f64.nan)
    case #box b -> (b.width, b.height)
  in (a, b, c)

type powers = #square f64 | #cubes f64 f64

def powers (x: f64) : powers =
  if x > 0 then #square (x * x) else #cubes x x

-- The derivative of a sum has the constructor of the value.
-- ==
-- entry: sum_results
-- input { 2.0 } output { 4.0 }
-- input { -2.0 } output { -3.0 }
entry sum_results (x: f64) : f64 =
  match jvp powers x 1
  case #square y -> y
  case #cubes y z -> 0 * y - 3 * z

-- Given derivatives, also in a map and in a higher derivative, where they are differentiated themselves; forwards they are ignored.
def clamped (x: f64) : f64 =
  with_vjp (\x -> f64.min 1 x) (\(y: f64) (w: f64) : f64 -> y * w) x

-- ==
-- entry: given
-- input { [0.5, 2.0] } output { [0.5, 1.0] [1.0, 0.0] 0.375 }
entry given [n] (xs: [n]f64) : ([n]f64, [n]f64, f64) =
  let f (xs: [n]f64) = f64.sum (map clamped xs)
  in ( vjp f xs 1
     , jvp (map clamped) xs (replicate n 1)
     , vjp (\x -> vjp clamped x x) 0.5 1 / 2
     )

-- Results of several kinds: what is no number has no derivative.
-- ==
-- entry: mixed
-- input { 3.0 2i32 true } output { 2.0 0i32 false 3.0 0i32 false }
entry mixed (x: f64) (i: i32) (b: bool) : (f64, i32, bool, f64, i32, bool) =
  let f (x: f64, i: i32, b: bool) =
    if b then (x * f64.i32 i, i, b) else (x, i, b)
  let (dx, di, db) = jvp f (x, i, b) (1, 0, false)
  let (rx, ri, rb) = vjp f (x, i, b) (1.5, 0, false)
  in (dx, di, db, rx, ri, rb)

-- Streams.
-- ==
-- entry: streams
-- input { [1.0, 2.0, 3.0] } output { [2.0, 4.0, 6.0] 12.0 }
-- input { empty([0]f64) } output { empty([0]f64) 0.0 }
entry streams [n] (xs: [n]f64) : ([n]f64, f64) =
  let f [m] (xs: [m]f64) =
    reduce_stream (+)
                  (\k (chunk: [k]f64) -> f64.sum (map (\x -> x * x) chunk))
                  xs
  in (vjp f xs 1, jvp f xs (replicate n 1))

-- A function that yields an array of a size of its own.
-- ==
-- entry: sizes
-- input { [1.0, -2.0, 3.0] } output { [2.0, 0.0, 6.0] }
entry sizes [n] (xs: [n]f64) : [n]f64 =
  let f (xs: [n]f64) =
    let ys = filter (> 0) xs
    in f64.sum (map2 (*) ys ys)
  in vjp f xs 1
