-- What a map reads of neighbours comes back from neighbours, also where indices are clamped or a border is treated apart. The derivative in reverse agrees with that forwards.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def near (a: f64) (b: f64) : bool =
  f64.abs (a - b) <= 1e-9 * (1 + f64.abs a + f64.abs b)

def some (n: i64) (seed: i64) : [n]f64 =
  map (\i -> f64.sin (f64.i64 ((i + 1) * (seed + 7)))) (iota n)

def agree [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  near (dot (some m 5) (jvp f xs (some n 3)))
       (dot (vjp f xs (some m 5)) (some n 3))

def clamped [n] (by: i64) (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> xs[i64.max 0 (i64.min (n - 1) (i + by))] * xs[i])

def clamped_below [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> xs[i64.max 0 (i - 1)] + 2 * xs[i] * xs[i64.max (i - 2) 0])

def clamped_above [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> xs[i64.min (i + 1) (n - 1)] * xs[i64.min (n - 1) (i + 3)])

def differences [n] (xs: [n]f64) : []f64 =
  tabulate (i64.max 0 (n - 1)) (\i -> (xs[i + 1] - xs[i]) ** 2)

def far [n] (xs: [n]f64) : []f64 =
  tabulate (n / 2) (\i -> xs[i + 1] * xs[2 * i])

def with_border [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i ->
    if i == 0 || i == n - 1
    then xs[i]
    else xs[i - 1] * xs[i + 1] - 2 * xs[i])

-- ==
-- entry: lines
-- input { [0.5, -1.5, 2.0, 3.0, 0.25, -0.75, 1.0] } output { [true, true, true, true, true, true, true, true, true] }
-- input { [0.5, -1.5, 2.0] } output { [true, true, true, true, true, true, true, true, true] }
-- input { [0.5, 2.0] } output { [true, true, true, true, true, true, true, true, true] }
-- input { [3.0] } output { [true, true, true, true, true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true, true, true, true, true] }
entry lines [n] (xs: [n]f64) : [9]bool =
  [ agree (clamped (-1)) xs
  , agree (clamped 1) xs
  , agree (clamped 3) xs
  , agree (clamped (-9)) xs
  , agree clamped_below xs
  , agree clamped_above xs
  , agree (\xs -> [f64.sum (differences xs)]) xs
  , agree (\xs -> [f64.sum (far xs)]) xs
  , agree with_border xs
  ]

def around [n] [m] (u: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
    let at i j = u[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
    in u[i, j]
       + 0.1
         * (at (i - 1) j
            + at (i + 1) j
            + at i (j - 1)
            + at i (j + 1)
            - 4 * u[i, j])
       + 0.2 * at (i - 1) (j + 1) * u[i, j])

def inside [n] [m] (u: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
    if i == 0 || j == 0 || i == n - 1 || j == m - 1
    then u[i, j]
    else u[i, j]
         + 0.1
           * (u[i - 1, j]
              + u[i + 1, j]
              + u[i, j - 1] * u[i, j + 1]
              - 4 * u[i, j]))

def of_rows [n] [m] (f: [n][m]f64 -> [n][m]f64) (u: [n][m]f64) : bool =
  agree (\xs -> flatten (f (unflatten xs))) (flatten u)

-- ==
-- entry: planes
-- input { [[0.5, -1.5, 2.0], [3.0, 0.25, -0.75], [1.0, 1.5, -2.0], [0.1, 0.2, 0.3]] } output { [true, true, true, true] }
-- input { [[0.5, -1.5, 2.0]] } output { [true, true, true, true] }
-- input { [[0.5], [2.0]] } output { [true, true, true, true] }
-- input { empty([0][3]f64) } output { [true, true, true, true] }
entry planes [n] [m] (u: [n][m]f64) : [4]bool =
  [ of_rows around u
  , of_rows inside u
  , of_rows (iterate 3 around) u
  , of_rows (iterate 2 inside) u
  ]

-- No histogram: a step back is a launch for what elements matter to their neighbours, and one that adds it up.
-- ==
-- entry: back back_inside
-- random input { [50][40]f64 [50][40]f64 }
-- structure run { launches 3 }
entry back [n] [m] (u: [n][m]f64) (weight: [n][m]f64) : [n][m]f64 =
  vjp around u weight

entry back_inside [n] [m] (u: [n][m]f64) (weight: [n][m]f64) : [n][m]f64 =
  vjp inside u weight

-- Around the ends, and by numbers that are not known.
def periodic [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i ->
    let left = if i == 0 then n - 1 else i - 1
    let right = if i + 1 < n then i + 1 else 0
    in xs[left] * xs[right] - xs[i])

def mirrored [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i ->
    xs[if i < 2 then i64.min (n - 1) (2 - i) else i - 2] * xs[i])

def rotated [n] (by: i64) (xs: [n]f64) : [n]f64 =
  map2 (*) (rotate by xs) (rotate (-1) xs)

def torus [n] [m] (u: [n][m]f64) : [n][m]f64 =
  map4 (map4 (\a b c d -> a * b + c - d))
       (rotate 1 u)
       (rotate (-1) u)
       (map (rotate 1) u)
       (map (rotate (-1)) u)

-- ==
-- entry: turns
-- input { [[0.5, -1.5, 2.0], [3.0, 0.25, -0.75], [1.0, 1.5, -2.0], [0.1, 0.2, 0.3]] 2i64 } output { [true, true, true, true] }
-- input { [[0.5, -1.5, 2.0]] -4i64 } output { [true, true, true, true] }
-- input { [[0.5], [2.0]] 5i64 } output { [true, true, true, true] }
-- input { empty([0][3]f64) 1i64 } output { [true, true, true, true] }
entry turns [n] [m] (u: [n][m]f64) (by: i64) : [4]bool =
  [ agree periodic (flatten u)
  , agree mirrored (flatten u)
  , agree (rotated by) (flatten u)
  , of_rows torus u
  ]

-- ==
-- entry: back_around
-- random input { [50][40]f64 [50][40]f64 }
-- structure run { launches 9 }
entry back_around [n] [m] (u: [n][m]f64) (weight: [n][m]f64) : [n][m]f64 =
  vjp torus u weight
