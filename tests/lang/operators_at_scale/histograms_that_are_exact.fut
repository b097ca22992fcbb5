-- Sums of f32 in more bins than groups have room for are exact, whatever the order: infinities, NaNs, the smallest floats, several columns, rows.
-- ==
-- entry: sums
-- input { 100000i64 20000i64 } output { true }
-- input { 300000i64 6000i64 } output { true }
-- entry: odd
-- input { 7000i64 } output { true }
-- entry: pairs
-- input { 50000i64 8000i64 } output { true }
-- entry: small
-- input { 60000i64 9000i64 } output { true }
-- entry: rows
-- input { 20000i64 3000i64 } output { true }
def h (i: i64) : i64 =
  i64.u32 (let x = u32.i64 i * 0x9e3779b1
           let x = (x ^ (x >> 15)) * 0x2c1b3c6d
           in x ^ (x >> 12))
entry sums (n: i64) (k: i64) : bool =
  let is = map (\i -> h i % (k + 3) - 1) (iota n)
  let vs = map (\i -> f32.i64 (h (i + 7) % 4001 - 2000) / 8) (iota n)
  let one = hist (+) 0f32 k is vs
  let two = hist (+) 0i64 k is (map (\v -> i64.f32 (v * 8)) vs)
  in and (map2 (\a b -> a == f32.i64 b / 8) one two)
entry odd (k: i64) : bool =
  let n = 3 * k
  let is = map (\i -> i % k) (iota n)
  let special i =
    if i % 5 == 0
    then f32.inf
    else if i % 5 == 1
    then -f32.inf
    else if i % 5 == 2
    then f32.nan
    else if i % 5 == 3
    then 3e38
    else 1e-45
  let vs = map (\i ->
    if i < k
    then special i
    else if i < 2 * k
    then 2
    else if i % 5 == 3 && i % 2 == 0
    then 3e38
    else -1) (iota n)
  let one = reduce_by_index (replicate k 1f32) (+) 0 is vs
  let ok i x =
    if i % 5 == 0
    then x == f32.inf
    else if i % 5 == 1
    then x == -f32.inf
    else if i % 5 == 2
    then f32.isnan x
    else if i % 5 == 3
    then (if (2 * k + i) % 5 == 3 && (2 * k + i) % 2 == 0
          then x == f32.inf
          else x == 3e38)
    else x == 2
  in and (map2 ok (iota k) one)
entry pairs (n: i64) (k: i64) : bool =
  let is = map (\i -> h i % k) (iota n)
  let vs =
    map (\i -> (f32.i64 (h (i + 7) % 401 - 200), f32.i64 (h (i + 9) % 77) / 4))
        (iota n)
  let one = hist (\(a, b) (c, d) -> (a + c, b + d)) (0f32, 0f32) k is vs
  let two =
    hist (\(a, b) (c, d) -> (a + c, b + d))
         (0f64, 0f64)
         k
         is
         (map (\(a, b) -> (f64.f32 a, f64.f32 b)) vs)
  in and (map2 (\(a, b) (c, d) -> f64.f32 a == c && f64.f32 b == d) one two)
entry small (n: i64) (k: i64) : bool =
  let is = map (\i -> h i % k) (iota n)
  let vs = map (\i ->
    f32.from_bits (u32.i64 (h (i + 3) % 100000))
    * (if h i % 2 == 0 then 1 else -1)) (iota n)
  let one = hist (+) 0f32 k is vs
  let two =
    hist (+)
         0i64
         k
         is
         (map2 (\i v ->
           let b = i64.u32 (f32.to_bits (f32.abs v))
           in if v < 0 then -b else b) (iota n) vs)
  in and (map2 (\a b ->
    let c = i64.u32 (f32.to_bits (f32.abs a))
    in (if a < 0 then -c else c) == b) one two)
entry rows (n: i64) (k: i64) : bool =
  let is = map (\i -> h i % k) (iota n)
  let vs =
    map (\i -> map (\j -> f32.i64 (h (i * 5 + j) % 1000) / 2) (iota 5)) (iota n)
  let one =
    reduce_by_index (replicate k (replicate 5 0f32))
                    (map2 (+))
                    (replicate 5 0)
                    is
                    vs
  let two =
    reduce_by_index (replicate k (replicate 5 0f64))
                    (map2 (+))
                    (replicate 5 0)
                    is
                    (map (map f64.f32) vs)
  in and (map2 (\a b -> and (map2 (\x y -> f64.f32 x == y) a b)) one two)
