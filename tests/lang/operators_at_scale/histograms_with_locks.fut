-- Histograms with exact operators whose columns fit into no word: bins have locks, in shared memory or not.

def place (bins: i64) (i: i64) : i64 = (i * 7919) % (bins + 2) - 1

def in_order 'a
             (op: a -> a -> a)
             (ne: a)
             (n: i64)
             (bins: i64)
             (value: i64 -> a) : [bins]a =
  loop expected = replicate bins ne
  for i < n do
    let at = place bins i
    in if at >= 0 && at < bins
       then expected with [at] = op (copy expected[at]) (value i)
       else expected

-- ==
-- entry: least_and_where
-- input { 0i64 3i64 } output { true }
-- input { 1i64 3i64 } output { true }
-- input { 5000i64 1i64 } output { true }
-- input { 5000i64 1000i64 } output { true }
-- input { 5000i64 5001i64 } output { true }
-- input { 5000i64 54321i64 } output { true }
entry least_and_where (n: i64) (bins: i64) : bool =
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  let value i = (f32.i64 ((i * 7907) % 501), i)
  let found =
    hist least (f32.inf, n) bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) found (in_order least (f32.inf, n) n bins value))

-- The same with the index of the element alone: values are found by it.
-- ==
-- entry: least_by_index
-- input { 5000i64 1000i64 } output { true }
-- input { 5000i64 54321i64 } output { true }
entry least_by_index (n: i64) (bins: i64) : bool =
  let xs = tabulate n (\i -> f32.i64 ((i * 7907) % 501))
  let value i = (xs[i], i)
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  let lesser i j =
    if i < 0 then j else if j < 0 then i else (least (xs[i], i) (xs[j], j)).1
  let found = hist lesser (-1) bins (tabulate n (place bins)) (iota n)
  let expected = in_order least (f32.inf, n) n bins value
  in and (map2 (\i (_, j) -> i == j || i < 0 && j == n) found expected)

-- ==
-- entry: many_columns
-- input { 5000i64 2i64 } output { true }
-- input { 5000i64 3001i64 } output { true }
-- input { 5000i64 54321i64 } output { true }
entry many_columns (n: i64) (bins: i64) : bool =
  let join (a: i64, b: u8, c: i32, p: bool)
           (d: i64, e: u8, f: i32, q: bool) : (i64, u8, i32, bool) =
    (a + d, u8.max b e, (c + f) % 10007, p != q)
  let value i = (i * i, u8.i64 (i * 7), i32.i64 (i % 10007), i % 2 == 0)
  let found =
    hist join (0, 0, 0, false) bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) found (in_order join (0, 0, 0, false) n bins value))

-- Nearly all elements go to one bin of many.
-- ==
-- entry: one_bin_of_many
-- input { 5000i64 50000i64 } output { 12497500i64 4999i64 1i64 }
entry one_bin_of_many (n: i64) (bins: i64) : (i64, i64, i64) =
  let join (a: i64, b: i64) (c: i64, d: i64) = (a + c, i64.max b d)
  let (sums, largest) =
    unzip (reduce_by_index (replicate bins (0, 0))
                           join
                           (0, 0)
                           (tabulate n (\i -> if i == 17 then 3 else 4711))
                           (map (\i -> (i, i)) (iota n)))
  in (sums[4711] + sums[3], largest[4711], i64.bool (largest[3] == 17))
