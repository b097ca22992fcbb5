-- Scans of records of which only some columns are read afterwards: alone, in maps, behind lambdas that take long or call functions,
-- and beside other results.

def h (i: i64) : i32 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in i32.u32 ((x ^ (x >> 12)) % 21) - 10

type best = {best: i32, prefix: i32, suffix: i32, total: i32}

def join (x: best) (y: best) : best =
  { best = i32.max (i32.max x.best y.best) (x.suffix + y.prefix)
  , prefix = i32.max x.prefix (x.total + y.prefix)
  , suffix = i32.max y.suffix (x.suffix + y.total)
  , total = x.total + y.total
  }

def nothing : best = {best = 0, prefix = 0, suffix = 0, total = 0}

def single (x: i32) : best =
  let p = i32.max x 0
  in {best = p, prefix = p, suffix = p, total = x}

def mark [n] (xs: [n]i32) : i64 =
  i64.sum (map2 (\i x -> (i64.i32 x + 7) * (i % 31 + 1)) (iota n) xs)

-- ==
-- entry: best
-- input { 0i64 } auto output
-- input { 1000i64 } auto output
-- compiled input { 300000i64 } auto output
entry best (n: i64) : i64 =
  mark (map (.best) (scan join nothing (map (single <-< h) (iota n))))

-- ==
-- entry: two
-- input { 1000i64 } auto output
-- compiled input { 300000i64 } auto output
entry two (n: i64) : (i64, i64, i32) =
  let xs = map h (iota n)
  let s = scan join nothing (map single xs)
  in (mark (map (.prefix) s), mark (map (.suffix) s), i32.sum xs)

-- ==
-- entry: rows
-- input { 30i64 50i64 } auto output
-- input { 3i64 5000i64 } auto output
-- input { 0i64 5i64 } auto output
entry rows (n: i64) (m: i64) : [n]i64 =
  tabulate n (\i ->
    mark (map (.suffix)
              (scan join nothing (tabulate m (\j -> single (h (i * m + j)))))))

-- ==
-- entry: segmented
-- input { 1000i64 } auto output
-- compiled input { 300000i64 } auto output
entry segmented (n: i64) : i64 =
  let flags = map (\i -> h (i + 5) > 7) (iota n)
  let sums =
    scan (\(f, x) (g, y) -> (f || g, if g then y else x + y))
         (false, 0)
         (zip flags (map h (iota n)))
  in mark (map (.1) sums)

def steps (x: i32) : i32 =
  let (_, k) =
    loop (x, k) = (x, 0)
    while x > 1 do
      (if x % 2 == 0 then x / 2 else 3 * x + 1, k + 1)
  in k

def depth (x: i32) : i32 =
  if x <= 0 then 0 else 1 + depth (x / 3) + depth (x - 3)

-- ==
-- entry: costly
-- input { 300i64 } auto output
-- compiled input { 30000i64 } auto output
entry costly (n: i64) : (i64, i64) =
  let a = scan join nothing (map (\i -> single (steps (h i + 20))) (iota n))
  let b = scan join nothing (map (\i -> single (depth (h i))) (iota n))
  in (mark (map (.best) a), mark (map (.suffix) b))

-- ==
-- entry: of_rows
-- input { 200i64 3i64 } auto output
entry of_rows (n: i64) (m: i64) : i64 =
  let s =
    scan (\(a, xs) (b, ys) -> (a + b, map2 (\x y -> x + y * (b + 1)) xs ys))
         (0, replicate m 0)
         (map (\i -> (h i, tabulate m (\j -> h (i * m + j)))) (iota n))
  in mark (map (.0) s)
