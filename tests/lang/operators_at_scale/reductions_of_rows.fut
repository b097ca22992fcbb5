-- Reductions and scans whose elements are rows: by operators on each element, alone, behind a map, beside others; of few and many columns;
-- by operators that choose a row, and by any others.

def h (i: i64) : i64 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in i64.u32 (x ^ (x >> 12)) % 1000

def table (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> h (i * m + j))

def mark [n] (xs: [n]i64) : i64 =
  i64.sum (map2 (\j x -> (x + 1) * (j * 31 + 7) % 10007) (iota n) xs)

def marks [n] [m] (xss: [n][m]i64) : i64 = mark (flatten xss)

-- ==
-- entry: columns
-- input { 0i64 3i64 } output { 114i64 114i64 0i64 }
-- input { 3i64 0i64 } output { 0i64 0i64 0i64 }
-- input { 1i64 1i64 } output { 7i64 7i64 7i64 }
-- input { 1000i64 1i64 } output { 2823i64 6802i64 3986i64 }
-- input { 1000i64 7i64 } output { 25118i64 36810i64 35865i64 }
-- input { 300i64 63i64 } output { 336876i64 281647i64 302996i64 }
-- input { 260i64 65i64 } output { 286335i64 379174i64 311581i64 }
-- compiled input { 150i64 300i64 } output { 1525930i64 1602595i64 1639479i64 }
-- input { 5000i64 2i64 } output { 5048i64 5130i64 9584i64 }
entry columns (n: i64) (m: i64) : (i64, i64, i64) =
  let xss = table n m
  let plain = reduce (map2 (+)) (replicate m 0) xss
  let after = reduce (map2 (+)) (replicate m 0) (map (map (\x -> x * x)) xss)
  let turned =
    reduce (map2 i64.max)
           (replicate m (-1))
           (map (\xs -> map2 (+) xs (rotate 1 xs)) xss)
  in (mark plain, mark after, mark turned)

-- The same in other words.
-- ==
-- entry: same
-- input { 1000i64 7i64 } output { true }
-- input { 129i64 130i64 } output { true }
-- input { 0i64 13i64 } output { true }
entry same (n: i64) (m: i64) : bool =
  let xss = table n m
  let a = reduce (map2 (+)) (replicate m 0) xss
  let b = map i64.sum (transpose xss)
  let c = map (\j -> i64.sum (map (\i -> xss[i, j]) (iota n))) (iota m)
  let d = loop acc = replicate m 0 for i < n do map2 (+) acc xss[i]
  let e =
    reduce (\xs ys -> map (\(x, y) -> x + y) (zip xs ys)) (replicate m 0) xss
  in and (map3 (\x y z -> x == y && y == z) a b c)
     && and (map3 (\x y z -> x == y && y == z) a d e)

-- The neutral element varies from column to column, and the operator takes something besides.
-- ==
-- entry: besides
-- input { 500i64 20i64 } output { 108903i64 108903i64 }
-- input { 0i64 20i64 } output { 6030i64 108903i64 }
entry besides (n: i64) (m: i64) : (i64, i64) =
  let xss = table n m
  let limits = map (\j -> 100 + h j) (iota m)
  let capped =
    reduce (map3 (\l x y -> i64.min l (x + y)) limits) (replicate m 0) xss
  let lowest =
    reduce (map2 i64.min)
           limits
           (map (\xs -> map2 (\l x -> l + x) limits xs) xss)
  in (mark capped, mark lowest)

-- Operators that do not commute.
-- ==
-- entry: in_order
-- input { 700i64 5i64 } output { true }
-- input { 70i64 200i64 } output { true }
-- input { 3000i64 3i64 } output { true }
entry in_order (n: i64) (m: i64) : bool =
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let pairs = map (map (\x -> (1 + x, x % 7))) (table n m)
  let all = reduce (map2 after) (replicate m (1, 0)) pairs
  let one j = loop p = (1, 0) for i < n do after p pairs[i, j]
  in and (map2 (==) all (map one (iota m)))

-- Several at once, with what is kept.
-- ==
-- entry: several
-- input { 400i64 33i64 } output { 161541i64 57570i64 199118i64 65432642i64 }
-- input { 4i64 3i64 } output { 8746i64 8731i64 1646i64 40374i64 }
entry several (n: i64) (m: i64) : (i64, i64, i64, i64) =
  let xss = map (map (+ 1)) (table n m)
  let (a, b) =
    ( reduce (map2 (+)) (replicate m 0) xss
    , reduce (map2 i64.min) (replicate m 9999) xss
    )
  let firsts = i64.sum (map (\xs -> xs[0]) xss)
  in (mark a, mark b, firsts, marks xss)

-- Rows of rows.
-- ==
-- entry: matrices
-- input { 200i64 4i64 9i64 } output { 157258i64 166175i64 }
-- compiled input { 200i64 20i64 30i64 } output { 2983769i64 2949068i64 }
entry matrices (n: i64) (m: i64) (k: i64) : (i64, i64) =
  let xsss = tabulate_3d n m k (\i j l -> h (i * m * k + j * k + l))
  let a = reduce (map2 (map2 (+))) (replicate m (replicate k 0)) xsss
  let b =
    reduce (map2 (map2 i64.max))
           (replicate m (replicate k 0))
           (map (map (map (% 17))) xsss)
  in (marks a, marks b)

-- Floats, NaN among them.
-- ==
-- entry: floats
-- input { [[1f32, f32.nan, 3f32], [2f32, 5f32, -f32.inf]] } output { [3f32, f32.nan, -f32.inf] [2f32, 5f32, 3f32] }
entry floats [n] [m] (xss: [n][m]f32) : ([m]f32, [m]f32) =
  ( reduce (map2 (+)) (replicate m 0) xss
  , reduce (map2 f32.max) (replicate m (-f32.inf)) xss
  )

-- ==
-- entry: vectors
-- input { 0i64 } output { 114i64 0i64 }
-- input { 1i64 } output { 5471i64 5471i64 }
-- input { 4000i64 } output { 23937i64 60573360i64 }
entry vectors (n: i64) : (i64, i64) =
  let ps = map (\i -> [h i, h (i + 1), h (2 * i)]) (iota n)
  let all = reduce (map2 i64.max) (replicate 3 0) ps
  let sums = scan (map2 (+)) (replicate 3 0) ps
  in (mark all, marks sums)

-- ==
-- entry: small_matrices
-- input { 0i64 } output { 0i64 321i64 }
-- input { 1i64 } output { 5665i64 5665i64 }
-- compiled input { 3000i64 } output { 60028537i64 24353i64 }
entry small_matrices (n: i64) : (i64, i64) =
  let ms = tabulate_3d n 2 2 (\i j k -> h (i * 4 + j * 2 + k))
  let mul (a: [2][2]i64) (b: [2][2]i64) =
    tabulate_2d 2 2 (\i j -> (b[i, 0] * a[0, j] + b[i, 1] * a[1, j]) % 1009)
  let all = scan mul [[1, 0], [0, 1]] ms
  let last = reduce (\a b ->
    map (\i ->
      map (\j -> i64.sum (map2 (\x y -> x * y) a[i] (transpose b)[j]) % 1009)
          (iota 2)) (iota 2)) [[1, 0], [0, 1]] ms
  in (marks (map flatten all), marks last)

-- ==
-- entry: scanned
-- input { 0i64 3i64 } output { 0i64 0i64 }
-- input { 300i64 33i64 } output { 49723176i64 49901978i64 }
-- input { 1000i64 2i64 } output { 9994139i64 10101517i64 }
-- input { 3i64 1000i64 } output { 14951145i64 15183081i64 }
entry scanned (n: i64) (m: i64) : (i64, i64) =
  let xss = table n m
  let a =
    scan (map2 i64.max)
         (replicate m 0)
         (map (\xs -> map2 (+) xs (rotate 1 xs)) xss)
  let b = scan (map2 (+)) (replicate m 0) xss
  in (marks a, marks b)
