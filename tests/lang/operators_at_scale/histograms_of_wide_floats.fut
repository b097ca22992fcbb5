-- Sums of f64, and of f32 in very many bins: exact where the bits of all elements lie near each other, in any order; and right where they do not, or where
-- some are no numbers.
-- ==
-- entry: whole
-- input { 100000i64 20000i64 } output { true }
-- input { 40000i64 9000i64 } output { true }
-- input { 40i64 9000i64 } output { true }
-- input { 0i64 9000i64 } output { true }
-- entry: far_apart
-- input { 60000i64 7000i64 } output { true }
-- entry: no_numbers
-- input { 60000i64 7000i64 } output { true }
-- entry: smallest
-- input { 60000i64 9000i64 } output { true }
-- entry: pairs
-- input { 50000i64 8000i64 } output { true }
-- entry: zeros
-- input { 50000i64 8000i64 } output { true }
-- entry: many_bins
-- compiled input { 200000i64 450000i64 } output { true }
-- compiled input { 600000i64 450001i64 } output { true }
def h (i: i64) : i64 =
  i64.u32 (let x = u32.i64 i * 0x9e3779b1
           let x = (x ^ (x >> 15)) * 0x2c1b3c6d
           in x ^ (x >> 12))

def bin (k: i64) (i: i64) : i64 = h i % (k + 3) - 1

-- Numbers of 53 bits, of which only 30 differ between elements that are the largest and the smallest.
entry whole (n: i64) (k: i64) : bool =
  let is = map (bin k) (iota n)
  let vs = map (\i -> (h (i + 7) << 14) - (h (i + 9) << (h i % 12))) (iota n)
  let one = hist (+) 0f64 k is (map (\v -> f64.i64 v / 4096) vs)
  let two = hist (+) 0i64 k is vs
  in and (map2 (\a b -> a == f64.i64 b / 4096) one two)

entry far_apart (n: i64) (k: i64) : bool =
  let is = map (bin k) (iota n)
  let power i = f64.from_bits (u64.i64 ((h (i % 100) % 1500 + 200) << 52))
  let one = hist (+) 0f64 k is (map power (iota n))
  let most = hist f64.max 0 k is (map power (iota n))
  in and (map2 (\a b -> b <= a && a <= b * f64.i64 n) one most)

entry no_numbers (n: i64) (k: i64) : bool =
  let is = map (\i -> i % k) (iota n)
  let special i =
    if i % 3 == 0 then f64.inf else if i % 3 == 1 then f64.nan else 2
  let one =
    hist (+) 0f64 k is (map (\i -> if i < k then special i else 0.5) (iota n))
  let ok i x =
    if i % 3 == 0
    then x == f64.inf
    else if i % 3 == 1
    then f64.isnan x
    else x > 2
  in and (map2 ok (iota k) one)

entry smallest (n: i64) (k: i64) : bool =
  let is = map (bin k) (iota n)
  let vs =
    map (\i -> (h (i + 3) % 100000) * (if h i % 2 == 0 then 1 else -1)) (iota n)
  let one =
    hist (+)
         0f64
         k
         is
         (map (\v ->
           f64.from_bits (u64.i64 (i64.abs v)) * f64.i64 (i64.sgn v)) vs)
  let two = hist (+) 0i64 k is vs
  in and (map2 (\a b ->
    i64.u64 (f64.to_bits (f64.abs a)) * (if a < 0 then -1 else 1) == b) one two)

entry pairs (n: i64) (k: i64) : bool =
  let is = map (bin k) (iota n)
  let vs = map (\i -> (h (i + 7) % 401 - 200, h (i + 9) % 77)) (iota n)
  let one =
    hist (\(a, b) (c, d) -> (a + c, b + d))
         (0f64, 0f64)
         k
         is
         (map (\(a, b) -> (f64.i64 a / 8, f64.i64 b)) vs)
  let two = hist (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) k is vs
  in and (map2 (\(a, b) (c, d) -> a == f64.i64 c / 8 && b == f64.i64 d) one two)

entry zeros (n: i64) (k: i64) : bool =
  let sums =
    reduce_by_index (replicate k 1f64)
                    (+)
                    0
                    (map (bin k) (iota n))
                    (replicate n (-0f64))
  in and (map (== 1) sums)

entry many_bins (n: i64) (k: i64) : bool =
  let is = map (bin k) (iota n)
  let vs = map (\i -> f32.i64 (h (i + 7) % 4001 - 2000) / 8) (iota n)
  let one = hist (+) 0f32 k is vs
  let two = hist (+) 0i64 k is (map (\v -> i64.f32 (v * 8)) vs)
  in and (map2 (\a b -> a == f32.i64 b / 8) one two)
