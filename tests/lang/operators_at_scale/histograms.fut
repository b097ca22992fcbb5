-- Histograms of all kinds: of integers, of floats, of rows, with few bins and with many, and with indices that are outside.
-- ==
-- entry: counts
-- input { 5000i64 7i64 } output { true }
-- input { 0i64 7i64 } output { true }
-- input { 5000i64 20000i64 } output { true }
-- input { 300i64 1i64 } output { true }
entry counts (n: i64) (bins: i64) : bool =
  let index (i: i64) = (i * 7919) % (bins + 2) - 1
  let expected =
    loop expected = replicate bins 0i32
    for i < n do
      let at = index i
      in if at >= 0 && at < bins
         then expected with [at] = expected[at] + 1
         else expected
  in and (map2 (==)
               expected
               (hist (+) 0 bins (tabulate n index) (replicate n 1)))

-- ==
-- entry: sums
-- input { 5000i64 7i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 1i64 3i64 } output { true }
entry sums (n: i64) (bins: i64) : bool =
  let index (i: i64) = (i * 7919) % (bins + 2) - 1
  let expected =
    loop expected = replicate bins 0f64
    for i < n do
      let at = index i
      in if at >= 0 && at < bins
         then expected with [at] = expected[at] + f64.i64 i
         else expected
  in and (map2 (==)
               expected
               (hist (+) 0 bins (tabulate n index) (tabulate n f64.i64)))

-- ==
-- entry: rows
-- input { 2000i64 5i64 3i64 } output { true }
-- input { 10i64 5i64 0i64 } output { true }
-- input { 0i64 5i64 2i64 } output { true }
entry rows (n: i64) (bins: i64) (d: i64) : bool =
  let value i j = f64.i64 (i + 3 * j)
  let sums =
    hist (map2 (+))
         (replicate d 0f64)
         bins
         (tabulate n (% bins))
         (tabulate n (\i -> tabulate d (value i)))
  let expected bin j =
    f64.sum (map (\i -> if i % bins == bin then value i j else 0) (iota n))
  in and (flatten (map2 (map2 (==)) sums (tabulate_2d bins d expected)))
