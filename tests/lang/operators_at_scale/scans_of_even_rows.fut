-- Scans of rows that are all as long: shorter than a tile, longer than several, of one element, without any.

def element (i: i64) (j: i64) : i64 = (i * 7 + j * 13) % 101

def same [n] [m] (xss: [n][m]i64) (yss: [n][m]i64) : bool =
  and (map2 (\xs ys -> and (map2 (==) xs ys)) xss yss)

-- One element after the other.
def one_by_one [m] 'a (op: a -> a -> a) (xs: [m]a) : *[m]a =
  loop ys = copy xs for j < m - 1 do ys with [j + 1] = op (copy ys[j]) xs[j + 1]

-- ==
-- entry: sums sums_of_sums
-- input { 0i64 5i64 } output { true }
-- input { 5i64 0i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 3001i64 7i64 } output { true }
-- input { 13i64 1000i64 } output { true }
-- input { 3i64 9001i64 } output { true }
-- input { 1i64 20000i64 } output { true }
entry sums (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m element
  in same (map (scan (+) 0) xss) (map (one_by_one (+)) xss)

-- Something is computed before, and something else is kept beside.
entry sums_of_sums (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m element
  let (yss, zss) =
    unzip (map (\xs ->
      let ys = map (\x -> x * 2 + xs[0]) xs in (ys, scan (+) 0 ys)) xss)
  in same (map (one_by_one (+)) yss) zss

-- An operator that does not commute, on two columns.
-- ==
-- entry: in_order
-- input { 0i64 3i64 } output { true }
-- input { 500i64 11i64 } output { true }
-- input { 7i64 3000i64 } output { true }
-- input { 2i64 10001i64 } output { true }
entry in_order (n: i64) (m: i64) : bool =
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let xss = tabulate_2d n m (\i j -> (1 + element i j, j % 7))
  let (ass, bss) = unzip (map unzip (map (scan after (1, 0)) xss))
  let (css, dss) = unzip (map unzip (map (one_by_one after) xss))
  in same ass css && same bss dss

-- Floats: the same bits in every run, and of whole numbers the same as one after the other.
-- ==
-- entry: floats maxima
-- input { 2000i64 9i64 } output { true }
-- input { 11i64 2222i64 } output { true }
-- input { 2i64 12345i64 } output { true }
entry floats (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> f32.i64 (element i j))
  let yss = map (scan (+) 0) xss
  in and (map2 (\xs ys -> and (map2 (==) (one_by_one (+) xs) ys)) xss yss)

entry maxima (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> f32.i64 (element i j))
  let yss = map (\xs -> scan f32.max (-f32.inf) (map2 (-) xs (rotate 1 xs))) xss
  let zss = map (\xs -> one_by_one f32.max (map2 (-) xs (rotate 1 xs))) xss
  in and (map2 (\ys zs -> and (map2 (==) ys zs)) yss zss)

-- Rows in rows, and the same written with indices.
-- ==
-- entry: deep
-- input { 3i64 5i64 700i64 } output { true }
-- input { 2i64 3i64 5000i64 } output { true }
-- input { 40i64 0i64 3i64 } output { true }
entry deep (n: i64) (m: i64) (k: i64) : bool =
  let xsss = tabulate_3d n m k (\i j l -> element (i + j) l)
  let ysss = map (map (scan (+) 0)) xsss
  let zsss =
    tabulate_2d n m (\i j -> scan (+) 0 (tabulate k (\l -> xsss[i, j, l])))
  in and (map2 (\yss zss -> same yss zss) ysss zsss)
     && and (map2 (\yss xss -> same yss (map (one_by_one (+)) xss)) ysss xsss)

-- Only one of the columns that are scanned is wanted.
-- ==
-- entry: second
-- input { 0i64 3i64 } output { true }
-- input { 300i64 17i64 } output { true }
-- input { 3i64 7001i64 } output { true }
entry second (n: i64) (m: i64) : bool =
  let line (a0: i64, b0: i64) (a1: i64, b1: i64) =
    (a1 * a0 % 1009, (a1 * b0 + b1) % 1009)
  let xss = tabulate_2d n m element
  let solve f xs = map (.1) (f (map (\x -> (3, x)) xs))
  in same (map (solve (scan line (1, 0))) xss)
          (map (solve (one_by_one line)) xss)

-- What is checked of a row is checked of rows without elements, too.
-- ==
-- entry: checked
-- input { [1i64, 0i64] empty([0]i64) } error: zero
entry checked [n] [m] (ds: [n]i64) (xs: [m]i64) : [n]i64 =
  map (\d -> let q = 7 / d in i64.sum (map (* q) xs)) ds
