-- Rows of one length, each parted: those that satisfy a test first, in their order.

def parted [n] (p: i32 -> bool) (xs: [n]i32) : ([n]i32, i64) =
  let (as, bs) = partition p xs
  in (sized n (as ++ bs), length as)

-- One after the other.
def by_loop [n] (p: i32 -> bool) (xs: [n]i32) : ([n]i32, i64) =
  let (ys, k) =
    loop (ys, k) = (replicate n 0i32, 0) for x in xs do
      if p x then (ys with [k] = x, k + 1) else (ys, k)
  let (ys, _) =
    loop (ys, l) = (ys, k) for x in xs do
      if p x then (ys, l) else (ys with [l] = x, l + 1)
  in (ys, k)

-- ==
-- entry: rows by_threshold
-- input { 0i64 3i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 1i64 5000i64 } output { true }
-- input { 70i64 301i64 } output { true }
-- input { 5000i64 3i64 } output { true }
entry rows (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 17) % 101))
  let (yss, ks) = unzip (map (parted (\x -> x % 3 == 0)) xss)
  let (zss, ls) = unzip (map (by_loop (\x -> x % 3 == 0)) xss)
  in and (map2 (==) ks ls)
     && and (map2 (\ys zs -> and (map2 (==) ys zs)) yss zss)

-- The test depends on the row.
entry by_threshold (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 17) % 101))
  let (yss, ks) =
    unzip (map2 (\t xs -> parted (\x -> x < i32.i64 t) xs) (iota n) xss)
  let (zss, ls) =
    unzip (map2 (\t xs -> by_loop (\x -> x < i32.i64 t) xs) (iota n) xss)
  in and (map2 (==) ks ls)
     && and (map2 (\ys zs -> and (map2 (==) ys zs)) yss zss)
