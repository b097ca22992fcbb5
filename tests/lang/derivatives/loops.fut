-- Loops: a tape on the way forth, the opposite order on the way back.

def power (n: i64) (x: f64) : f64 = loop y = 1 for _i < n do y * x

-- ==
-- entry: for_loop
-- input { 3i64 2.0 } output { 8.0 12.0 12.0 12.0 12.0 }
-- input { 1i64 2.0 } output { 2.0 1.0 1.0 0.0 0.0 }
-- input { 0i64 2.0 } output { 1.0 0.0 0.0 0.0 0.0 }
entry for_loop (n: i64) (x: f64) : (f64, f64, f64, f64, f64) =
  let (value, change) = vjp2 (power n) x 1
  in ( value
     , change
     , jvp (power n) x 1
     , jvp (\x -> vjp (power n) x 1) x 1
     , vjp (\x -> vjp (power n) x 1) x 1
     )

-- Newton's method for a root: a loop of unknown length.
def root (a: f64) : f64 =
  loop x = a
  while f64.abs (x * x - a) > 1e-12 do
    (x + a / x) / 2

-- ==
-- entry: while_loop
-- input { 4.0 } output { 0.25 0.25 }
-- input { 9.0 } output { 0.16666666666 0.16666666666 }
-- input { 1.0 } output { 1.0 1.0 }
entry while_loop (a: f64) : (f64, f64) = (jvp root a 1, vjp root a 1)

-- Nested loops, where the inner one has as many iterations as the outer one says.
def triangle (x: f64) : f64 =
  loop s = 0
  for i < 4 do
    loop t = s for _j < i do t * x + 1

-- ==
-- entry: nested
-- input { 2.0 } output { true true }
-- input { -0.5 } output { true true }
entry nested (x: f64) : (bool, bool) =
  let h = 1e-6
  let expected = (triangle (x + h) - triangle (x - h)) / (2 * h)
  let near (a: f64) = f64.abs (a - expected) < 1e-6 * (1 + f64.abs a)
  in (near (jvp triangle x 1), near (vjp triangle x 1))

-- A loop that updates an array in place.
def sums [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs
  for i < n - 1 do
    ys with [i + 1] = ys[i] * ys[i + 1]

-- ==
-- entry: updates
-- input { [2.0, 3.0, 4.0] } output { [2.0, 6.0, 24.0] [16.0, 10.0, 6.0] }
-- input { [5.0] } output { [5.0] [1.0] }
entry updates [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  vjp2 sums xs (replicate n 1)

-- ==
-- entry: updates_forwards
-- input { [2.0, 3.0, 4.0] [1.0, 0.0, 1.0] } output { [1.0, 3.0, 18.0] }
entry updates_forwards [n] (xs: [n]f64) (ts: [n]f64) : [n]f64 = jvp sums xs ts

-- What an update overwrites had no part in the result.
-- ==
-- entry: overwritten
-- input { [2.0, 3.0, 4.0] 7.0 } output { [1.0, 0.0, 1.0] 5.0 }
entry overwritten [n] (xs: [n]f64) (y: f64) : ([n]f64, f64) =
  vjp (\(xs: [n]f64, y: f64) -> let ys = copy xs in ys with [1] = 5 * y)
      (xs, y)
      (replicate n 1)

-- A loop in a map, whose number of iterations varies, and which reads an array from outside.
def walks [n] [m] (steps: [m]i64) (xs: [n]f64) : [m]f64 =
  map (\k -> loop p = 1 for i < k do p * xs[i % n]) steps

-- ==
-- entry: in_a_map
-- input { [2i64, 0i64, 3i64] [2.0, 3.0] } output { [6.0, 1.0, 12.0] [15.0, 6.0] }
-- input { empty([0]i64) [2.0, 3.0] } output { empty([0]f64) [0.0, 0.0] }
entry in_a_map [n] [m] (steps: [m]i64) (xs: [n]f64) : ([m]f64, [n]f64) =
  vjp2 (walks steps) xs (replicate m 1)

-- A counter of a narrow type.
-- ==
-- entry: narrow_counter
-- input { 3i8 2.0 } output { 12.0 }
-- input { -3i8 2.0 } output { 0.0 }
entry narrow_counter (n: i8) (x: f64) : f64 =
  vjp (\x -> loop y = 1 for _i < n do y * x) x 1
