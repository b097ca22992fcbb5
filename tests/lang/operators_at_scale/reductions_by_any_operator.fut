-- Reductions of rows by operators that are no maps of them: those that choose a row, and those that do something else.

def h (i: i64) : i64 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in i64.u32 (x ^ (x >> 12)) % 1000

def table (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> h (i * m + j))

def mark [n] (xs: [n]i64) : i64 =
  i64.sum (map2 (\j x -> (x + 1) * (j * 31 + 7) % 10007) (iota n) xs)

-- ==
-- entry: best
-- input { 0i64 4i64 } output { 29486i64 0i64 39172i64 }
-- input { 1i64 4i64 } output { 5665i64 8635i64 39172i64 }
-- input { 1000i64 33i64 } output { 160126i64 175851i64 263835i64 }
-- input { 3000i64 2i64 } output { 5402i64 8720i64 19834i64 }
entry best (n: i64) (m: i64) : (i64, i64, i64) =
  let xss = table n m
  let a = reduce (\a b -> if a[0] <= b[0] then a else b) (replicate m 5000) xss
  let b =
    reduce (\a b -> if a[m - 1] < b[m - 1] then b else a)
           (replicate m (-1))
           (map (map (\x -> x * x % 1009)) xss)
  -- The neutral element wins.
  let c = reduce (\a b -> if a[0] < b[0] then a else b) (replicate m (-5)) xss
  in (mark a, mark b, mark c)

-- ==
-- entry: best_of_pairs
-- input { 0i64 4i64 } output { -1i64 642i64 }
-- input { 2000i64 4i64 } output { 3553i64 50368i64 }
entry best_of_pairs (n: i64) (m: i64) : (i64, i64) =
  let xss = table n m
  let all = zip3 (map i64.sum xss) xss (map reverse xss)
  let better (k, a, c) (l, b, d) =
    if k > l || (k == l && a[0] <= b[0]) then (k, a, c) else (l, b, d)
  let (k, a, c) = reduce better (-1, replicate m 0, replicate m 1) all
  in (k, mark a + mark c)

-- ==
-- entry: fails
-- input { 5i64 [[1i64, 2i64], [0i64, 3i64]] } error: out of bounds
-- input { 1i64 [[1i64, 2i64], [0i64, 3i64]] } output { [1i64, 2i64] }
-- input { 5i64 [[1i64, 2i64]] } error: out of bounds
entry fails [n] [m] (k: i64) (xss: [n][m]i64) : [m]i64 =
  reduce (\a b -> if a[k] <= b[k] then a else b) (replicate m 9) xss

-- Permutations, one after the other.
-- ==
-- entry: permutations
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 131i64 37i64 } output { true }
-- input { 1024i64 6i64 } output { true }
-- input { 5i64 700i64 } output { true }
entry permutations (n: i64) (m: i64) : bool =
  let ps =
    tabulate_2d n m (\i j -> (h i + (if i % 2 == 0 then j else m - 1 - j)) % m)
  let all = reduce (\p q -> map (\j -> q[p[j]]) (iota m)) (iota m) ps
  let one = loop p = iota m for i < n do map (\j -> ps[i, p[j]]) (iota m)
  in and (map2 (==) all one)

-- ==
-- entry: products
-- input { 0i64 3i64 } output { true }
-- input { 9i64 3i64 } output { true }
-- input { 30i64 20i64 } output { true }
entry products (n: i64) (m: i64) : bool =
  let ms = tabulate_3d n m m (\i j k -> h (i * m * m + j * m + k))
  let mul a b =
    map (\xs -> map (\ys -> i64.sum (map2 (*) xs ys) % 1009) (transpose b)) a
  let unit = tabulate_2d m m (\i j -> i64.bool (i == j))
  let all = reduce mul unit ms
  let one = loop a = unit for i < n do mul a ms[i]
  in and (map2 (\a b -> and (map2 (==) a b)) all one)

-- With a scalar beside, and a map in front.
-- ==
-- entry: beside
-- input { 100i64 7i64 } output { 50238i64 3017i64 }
-- input { 1i64 7i64 } output { 0i64 3668i64 }
entry beside (n: i64) (m: i64) : (i64, i64) =
  let ps = map (\i -> (h i, rotate (h i) (iota m))) (iota n)
  let (s, p) =
    reduce (\(a, p) (b, q) ->
              ((a + b + p[0]) - p[0], map (\j -> q[p[j]]) (iota m)))
           (0, iota m)
           ps
  in (s, mark p)
