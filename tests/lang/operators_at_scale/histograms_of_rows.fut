-- Histograms whose elements are rows: combined position by position, or as a whole.

def place (bins: i64) (i: i64) : i64 = (i * 7919) % (bins + 2) - 1

def in_order [d] 'a
             (op: [d]a -> [d]a -> [d]a)
             (ne: [d]a)
             (n: i64)
             (bins: i64)
             (value: i64 -> [d]a) : [bins][d]a =
  loop expected = replicate bins ne
  for i < n do
    let at = place bins i
    in if at >= 0 && at < bins
       then expected with [at] = copy (op (copy expected[at]) (value i))
       else expected

-- ==
-- entry: sums
-- input { 2000i64 5i64 3i64 } output { true }
-- input { 2000i64 1500i64 3i64 } output { true }
-- input { 2000i64 1500i64 1i64 } output { true }
-- input { 2000i64 1500i64 0i64 } output { true }
-- input { 1i64 1500i64 2i64 } output { true }
-- input { 0i64 1500i64 2i64 } output { true }
entry sums (n: i64) (bins: i64) (d: i64) : bool =
  let value i = tabulate d (\j -> f32.i64 ((i + 3 * j) % 100))
  let found =
    hist (map2 (+))
         (replicate d 0f32)
         bins
         (tabulate n (place bins))
         (tabulate n value)
  in and (flatten (map2 (map2 (==))
                        found
                        (in_order (map2 (+)) (replicate d 0f32) n bins value)))

-- ==
-- entry: bytes
-- input { 2000i64 5i64 3i64 } output { true }
-- input { 2000i64 70000i64 3i64 } output { true }
-- input { 2000i64 5i64 0i64 } output { true }
entry bytes (n: i64) (bins: i64) (d: i64) : bool =
  let rows = tabulate_2d n d (\i j -> u8.i64 (i + 3 * j))
  let found =
    hist (map2 (+)) (replicate d 0u8) bins (tabulate n (place bins)) rows
  in and (flatten (map2 (map2 (==))
                        found
                        (in_order (map2 (+)) (replicate d 0) n bins (\i ->
                          copy rows[i]))))

-- ==
-- entry: integers
-- input { 2000i64 5i64 3i64 } output { true }
-- input { 2000i64 7000i64 3i64 } output { true }
entry integers (n: i64) (bins: i64) (d: i64) : bool =
  let value i = tabulate d (\j -> i32.i64 (i + 3 * j))
  let largest = map2 i32.max
  let found =
    hist largest
         (replicate d i32.lowest)
         bins
         (tabulate n (place bins))
         (map value (iota n))
  in and (flatten (map2 (map2 (==))
                        found
                        (in_order largest
                                  (replicate d i32.lowest)
                                  n
                                  bins
                                  value)))

-- Matrices.
-- ==
-- entry: matrices
-- input { 1000i64 5i64 } output { true }
-- input { 1000i64 1200i64 } output { true }
entry matrices (n: i64) (bins: i64) : bool =
  let value i = tabulate_2d 2 3 (\j k -> f64.i64 ((i + 3 * j + 5 * k) % 50))
  let found =
    hist (map2 (map2 (+)))
         (replicate 2 (replicate 3 0))
         bins
         (tabulate n (place bins))
         (tabulate n value)
  let rows =
    in_order (map2 (+)) (replicate 6 0) n bins (\i ->
      flatten (value i) :> [6]f64)
  in and (flatten (map2 (map2 (==))
                        (map (\m -> flatten m :> [6]f64) found)
                        rows))

-- The row whose first number is the least: rows are chosen as a whole.
-- ==
-- entry: best
-- input { 2000i64 5i64 } output { true }
-- input { 2000i64 1500i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 2000i64 1i64 } output { true }
entry best (n: i64) (bins: i64) : bool =
  let value i = [f32.i64 ((i * 7907) % 2003), f32.i64 i, 1]
  let least (a: [3]f32) (b: [3]f32) = if b[0] < a[0] then b else a
  let ne = replicate 3 f32.inf
  let found = hist least ne bins (tabulate n (place bins)) (tabulate n value)
  in and (flatten (map2 (map2 (==)) found (in_order least ne n bins value)))

-- Every position of the result needs all positions of both.
-- ==
-- entry: turned
-- input { 2000i64 5i64 } output { true }
-- input { 2000i64 1500i64 } output { true }
entry turned (n: i64) (bins: i64) : bool =
  let value i = tabulate 4 (\j -> f32.i64 ((i * j) % 16))
  let join (a: [4]f32) (b: [4]f32) =
    let whole = f32.sum a + f32.sum b
    in tabulate 4 (\j ->
      if j == 0
      then whole - f32.sum (map2 (+) (tail a) (tail b) :> [3]f32)
      else a[j] + b[j])
  let found =
    hist join (replicate 4 0) bins (tabulate n (place bins)) (tabulate n value)
  in and (flatten (map2 (map2 (==))
                        found
                        (in_order (map2 (+)) (replicate 4 0) n bins value)))

-- Records of scalars and rows.
-- ==
-- entry: mixed
-- input { 1000i64 5i64 2i64 } output { true }
-- input { 1000i64 1200i64 2i64 } output { true }
-- input { 1000i64 1200i64 0i64 } output { true }
entry mixed (n: i64) (bins: i64) (d: i64) : bool =
  let add (a: i64, xs: [d]f32) (b: i64, ys: [d]f32) = (a + b, map2 (+) xs ys)
  let row i = tabulate d (\j -> f32.i64 ((i + j) % 100))
  let (counts, rows) =
    unzip (hist add
                (0, replicate d 0)
                bins
                (tabulate n (place bins))
                (tabulate n (\i -> (i, row i))))
  let expected = hist (+) 0 bins (tabulate n (place bins)) (iota n)
  in and (map2 (==) counts expected)
     && and (flatten (map2 (map2 (==))
                           rows
                           (in_order (map2 (+)) (replicate d 0) n bins row)))

-- Two columns of rows, combined together at each position.
-- ==
-- entry: least_and_where
-- input { 1000i64 5i64 3i64 } output { true }
-- input { 1000i64 3000i64 3i64 } output { true }
entry least_and_where (n: i64) (bins: i64) (d: i64) : bool =
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  let value i = tabulate d (\j -> (f32.i64 ((i * 7907 + j) % 501), i))
  let ne = replicate d (f32.inf, n)
  let found =
    hist (map2 least) ne bins (tabulate n (place bins)) (tabulate n value)
  in and (flatten (map2 (map2 (==))
                        found
                        (in_order (map2 least) ne n bins value)))
