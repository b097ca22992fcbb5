-- Histograms in rows, of several columns, in two dimensions, of rows, of any operator, of some elements of each row, and of floats, which
-- are combined in another order outside of maps.
-- ==
-- entry: two_sums in_two_dimensions rows_of_bins argmax rows_of_rows uneven
-- input { 0i64 0i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 9001i64 } output { true }
-- compiled input { 70i64 600i64 } output { true }

-- ==
-- entry: floats
-- input { 0i64 0i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 1500i64 } output { true }
-- input { 70i64 100i64 } output { true }

def agrees [k] (n: i64) (f: i64 -> [k]i64) : bool =
  let all = map f (iota n)
  in loop ok = true for i < n do ok && and (map2 (==) all[i] (f i))

def bin (k: i64) (i: i64) (j: i64) : i64 = (j * 7919 + i * 31) % (k + 5) - 2

def row (m: i64) (i: i64) : [m]i64 = tabulate m (\j -> (j * 31 + i) % 1009)

entry two_sums (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let (a, b) =
      unzip (hist (\(a, b) (c, d) -> (a + c, i32.max b d))
                  (0, 0i32)
                  33
                  (tabulate m (bin 33 i))
                  (zip (row m i) (map i32.i64 (row m i))))
    in map2 (\x y -> x * 3 + i64.i32 y) a b)

entry in_two_dimensions (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let h =
      reduce_by_index_2d
        (replicate 5 (replicate 9 1))
        (+)
        0
        (tabulate m (\j -> (bin 5 i j, bin 9 i (j + 1))))
        (row m i)
    in flatten h)

entry rows_of_bins (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let h =
      hist (map2 (+))
           [0, 0, 0]
           11
           (tabulate m (bin 11 i))
           (tabulate m (\j -> [i, j, 1]))
    in flatten h)

entry argmax (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let best (a: i64, x: i64) (b: i64, y: i64) =
      if x > y || x == y && a < b then (a, x) else (b, y)
    let (a, b) =
      unzip (hist best
                  (i64.highest, i64.lowest)
                  13
                  (tabulate m (bin 13 i))
                  (zip (iota m) (row m i)))
    in map2 (\x y -> x * 3 + y) a b)

entry rows_of_rows (n: i64) (m: i64) : bool =
  let inputs = tabulate_3d n 3 m (\i l j -> (i * 10 + l * 100 + j) % 77)
  in agrees n (\i ->
    flatten (map2 (\l input ->
                     hist (+) 0 20 (tabulate m (bin 20 (i + l))) input)
                  (iota 3)
                  inputs[i]))

entry uneven (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let some = filter (\j -> (j * j + i) % 5 < i % 4) (iota m)
    in hist (+) 0 20 (map (bin 20 i) some) some)

entry floats (n: i64) (m: i64) : bool =
  let f (i: i64) (k: i64) (values: [m]f64) =
    hist (+) 0f64 k (tabulate m (bin k i)) values
  let values i = tabulate m (\j -> f64.i64 ((i * 7 + j) % 100) / 10)
  let near [k] (xs: [k]f64) (ys: [k]f64) =
    map2 (\x y -> f64.abs (x - y) <= 1e-9 * (1 + f64.abs y)) xs ys
  let small = map (\i -> f i 16 (values i)) (iota n)
  let large = map (\i -> f i 300 (values i)) (iota n)
  in loop ok = true for i < n do
       ok
       && and (near small[i] (f i 16 (values i))
               ++ near large[i] (f i 300 (values i)))
