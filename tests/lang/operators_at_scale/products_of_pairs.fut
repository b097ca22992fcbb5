-- Products of matrices whose elements have several parts: complex numbers, and the best of many with its place.
-- ==
-- entry: complex
-- input { 130i64 97i64 70i64 } output { 1184322361i64 }
-- input { 64i64 33i64 64i64 } output { 544450821i64 }
-- input { 200i64 32i64 129i64 } output { 3390725737i64 }
-- input { 3i64 2i64 1i64 } output { 462756i64 }

-- ==
-- entry: nearest
-- input { 150i64 40i64 90i64 } output { 486448082i64 }
-- input { 65i64 64i64 63i64 } output { 138297825i64 }

-- ==
-- entry: quaternions
-- input { 70i64 37i64 66i64 } output { 2407832528i64 }

def number (seed: i64) (i: i64) : i32 =
  i32.i64 ((i * 7919 + seed * 104729) % 1009) - 500

def sum_of [n] [m] (xss: [n][m]i32) : i64 =
  i64.sum (flatten (map2 (\i ->
                            map2 (\j x ->
                                    i64.i32 x * (1 + i * 31 + j * 17) % 65537)
                                 (iota m))
                         (iota n)
                         xss))

entry complex (n: i64) (l: i64) (m: i64) : i64 =
  let make seed a b =
    tabulate_2d a b (\i j ->
      (number seed (i * b + j), number (seed + 1) (i * b + j)))
  let (xss, yss) = (make 1 n l, make 3 l m)
  let times (a: i32, b: i32) (c: i32, d: i32) = (a * c - b * d, a * d + b * c)
  let plus (a: i32, b: i32) (c: i32, d: i32) = (a + c, b + d)
  let zss =
    map (\xs ->
      map (\ys -> reduce plus (0, 0) (map2 times xs ys)) (transpose yss)) xss
  in sum_of (map (map (.0)) zss) + 3 * sum_of (map (map (.1)) zss)

-- For each pair of rows the place at which they are nearest, and how near; the first of several.
entry nearest (n: i64) (l: i64) (m: i64) : i64 =
  let (xss, yss) =
    ( tabulate_2d n l (\i k -> number 5 (i * l + k))
    , tabulate_2d m l (\j k -> number 6 (j * l + k))
    )
  let better (a: i32, i: i32) (b: i32, j: i32) =
    if b < a || (b == a && j < i) then (b, j) else (a, i)
  let zss = map (\xs ->
    map (\ys ->
      reduce better
             (i32.highest, i32.highest)
             (map3 (\k x y -> (i32.abs (x - y), k))
                   (map i32.i64 (iota l))
                   xs
                   ys)) yss) xss
  in sum_of (map (map (.0)) zss) + 3 * sum_of (map (map (.1)) zss)

entry quaternions (n: i64) (l: i64) (m: i64) : i64 =
  let make seed a b =
    tabulate_2d a b (\i j ->
      let x k = number (seed + k) (i * b + j) in (x 0, x 1, x 2, x 3))
  let (xss, yss) = (make 1 n l, make 7 l m)
  let times (a: i32, b: i32, c: i32, d: i32) (e: i32, f: i32, g: i32, h: i32) =
    ( a * e - b * f - c * g - d * h
    , a * f + b * e + c * h - d * g
    , a * g - b * h + c * e + d * f
    , a * h + b * g - c * f + d * e
    )
  let plus (a: i32, b: i32, c: i32, d: i32) (e: i32, f: i32, g: i32, h: i32) =
    (a + e, b + f, c + g, d + h)
  let zss = map (\xs ->
    map (\ys -> reduce plus (0, 0, 0, 0) (map2 times xs ys))
        (transpose yss)) xss
  in sum_of (map (map (.0)) zss)
     + 3 * sum_of (map (map (.1)) zss)
     + 5 * sum_of (map (map (.2)) zss)
     + 7 * sum_of (map (map (.3)) zss)
