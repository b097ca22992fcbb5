-- Histograms of floats: few bins are copied, many are sorted. The bits are those of a fixed order; sums here are exact, so that any
-- order gives them.

def place (bins: i64) (i: i64) : i64 = (i * 7919) % (bins + 2) - 1

def in_order 'a
             (op: a -> a -> a)
             (ne: a)
             (n: i64)
             (bins: i64)
             (place: i64 -> i64)
             (value: i64 -> a) : [bins]a =
  loop expected = replicate bins ne
  for i < n do
    let at = place i
    in if at >= 0 && at < bins
       then expected with [at] = op (copy expected[at]) (value i)
       else expected

-- ==
-- entry: sums
-- input { 5000i64 1i64 } output { true }
-- input { 5000i64 1024i64 } output { true }
-- input { 5000i64 1025i64 } output { true }
-- input { 5000i64 70000i64 } output { true }
-- input { 1i64 70000i64 } output { true }
-- input { 0i64 70000i64 } output { true }
-- input { 33i64 2000i64 } output { true }
entry sums (n: i64) (bins: i64) : bool =
  let value i = f32.i64 (i % 1000)
  let sums = hist (+) 0 bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) sums (in_order (+) 0 n bins (place bins) value))

-- The largest, where some are no number.
-- ==
-- entry: largest
-- input { 5000i64 10i64 } output { true }
-- input { 5000i64 3000i64 } output { true }
entry largest (n: i64) (bins: i64) : bool =
  let value i = if i % 5 == 0 then f64.nan else f64.i64 ((i * 7907) % 501)
  let found =
    hist f64.max (-f64.inf) bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==)
               found
               (in_order f64.max (-f64.inf) n bins (place bins) value))

-- One bin has nearly all elements, its neighbours have few.
-- ==
-- entry: uneven
-- input { 5000i64 2000i64 } output { true }
-- input { 257i64 2000i64 } output { true }
entry uneven (n: i64) (bins: i64) : bool =
  let at i = if i % 97 == 0 then i % bins else 1000
  let value i = f32.i64 (i % 100)
  let sums = hist (+) 0 bins (tabulate n at) (tabulate n value)
  in and (map2 (==) sums (in_order (+) 0 n bins at value))

-- ==
-- entry: two_sums
-- input { 5000i64 2i64 } output { true }
-- input { 5000i64 1000i64 } output { true }
-- input { 5000i64 3000i64 } output { true }
entry two_sums (n: i64) (bins: i64) : bool =
  let add (a: i32, x: f32) (b, y) = (a + b, x + y)
  let value i = (i32.i64 i, f32.i64 (i % 100))
  let sums = hist add (0, 0) bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) sums (in_order add (0, 0) n bins (place bins) value))

-- The same as two histograms, which become one.
-- ==
-- entry: two_histograms
-- input { 5000i64 1000i64 } output { true }
-- input { 5000i64 3000i64 } output { true }
entry two_histograms (n: i64) (bins: i64) : bool =
  let is = tabulate n (place bins)
  let counts = hist (+) 0i32 bins is (tabulate n i32.i64)
  let sums = hist (+) 0f32 bins is (tabulate n (\i -> f32.i64 (i % 100)))
  let add (a: i32, x: f32) (b, y) = (a + b, x + y)
  let value i = (i32.i64 i, f32.i64 (i % 100))
  in and (map2 (==)
               (zip counts sums)
               (in_order add (0, 0) n bins (place bins) value))

-- Columns that depend on each other: a mean that is kept as it grows, in powers of two.
-- ==
-- entry: dependent
-- input { 5000i64 7i64 } output { true }
-- input { 5000i64 3000i64 } output { true }
entry dependent (n: i64) (bins: i64) : bool =
  let join (x: f64, w: f64) (y: f64, v: f64) =
    (if w >= v then x + y else y + x, f64.max w v)
  let value i = (f64.i64 (i % 64), f64.i64 (i % 9))
  let found = hist join (0, 0) bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) found (in_order join (0, 0) n bins (place bins) value))

-- What takes a while to compute is computed once.
-- ==
-- entry: computed
-- input { 2000i64 7i64 } output { true }
-- input { 2000i64 3000i64 } output { true }
entry computed (n: i64) (bins: i64) : bool =
  let at i = loop x = i for _k < 5 do (x * 7919 + 13) % (bins + 2)
  let value i = loop x = f32.i64 (i % 8) for k < 4 do x + f32.i64 k
  let sums = hist (+) 0 bins (tabulate n (\i -> at i - 1)) (tabulate n value)
  in and (map2 (==) sums (in_order (+) 0 n bins (\i -> at i - 1) value))

-- ==
-- entry: dimensions
-- input { 3000i64 5i64 7i64 } output { true }
-- input { 3000i64 300i64 200i64 } output { true }
-- input { 3000i64 30i64 0i64 } output { true }
entry dimensions (n: i64) (m: i64) (k: i64) : bool =
  let is = tabulate n (place m)
  let js = tabulate n (\i -> (i * 31) % (k + 1))
  let value i = f32.i64 (i % 7)
  let flat =
    map2 (\i j ->
            if i >= 0 && i < m && j >= 0 && j < k then i * k + j else -1)
         is
         js
  let expected = unflatten (hist (+) 0 (m * k) flat (tabulate n value))
  let two =
    reduce_by_index_2d
      (replicate m (replicate k 0))
      (+)
      0
      (zip is js)
      (tabulate n value)
  let turned =
    reduce_by_index_2d
      (transpose (replicate k (replicate m 0)))
      (+)
      0
      (zip is js)
      (tabulate n value)
  in and (flatten (map2 (map2 (==)) expected two))
     && and (flatten (map2 (map2 (==)) expected turned))
