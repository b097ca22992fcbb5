-- Scans of rows by operators that are no maps of them.

def h (i: i64) : i64 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in i64.u32 (x ^ (x >> 12)) % 1000

def mark [n] (xs: [n]i64) : i64 =
  i64.sum (map2 (\j x -> (x + 1) * (j * 31 + 7) % 10007) (iota n) xs)

-- ==
-- entry: scanned
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 3i64 5i64 } output { true }
-- input { 4i64 1i64 } output { true }
-- input { 7i64 4i64 } output { true }
-- input { 131i64 37i64 } output { true }
-- input { 1024i64 6i64 } output { true }
-- input { 5i64 700i64 } output { true }
entry scanned (n: i64) (m: i64) : bool =
  let ps =
    tabulate_2d n m (\i j -> (h i + (if i % 2 == 0 then j else m - 1 - j)) % m)
  let all = scan (\p q -> map (\j -> q[p[j]]) (iota m)) (iota m) ps
  let (_, one) =
    loop (p, qs) = (iota m, replicate n (iota m)) for i < n do
      let p = map (\j -> ps[i, p[j]]) (iota m)
      in (p, qs with [i] = p)
  in and (map2 (\a b -> and (map2 (==) a b)) all one)

-- ==
-- entry: scanned_beside
-- input { 100i64 7i64 } output { 499826i64 3453695i64 }
-- input { 13i64 3i64 } output { 60648i64 46364i64 }
-- input { 0i64 0i64 } output { 0i64 0i64 }
-- input { 1i64 0i64 } error: Index 0 is out of bounds
-- input { 2i64 0i64 } error: Index 0 is out of bounds
entry scanned_beside (n: i64) (m: i64) : (i64, i64) =
  let ps = map (\i -> (h i, rotate (h i) (iota m))) (iota n)
  let (ss, qs) =
    unzip (scan (\(a, p) (b, q) ->
                   ((a + b + p[0]) - p[0], map (\j -> q[p[j]]) (iota m)))
                (0, iota m)
                ps)
  in (mark ss, mark (flatten qs))
