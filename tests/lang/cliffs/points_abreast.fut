-- Points that have work in common: a thread has several of them, that differ in one index. Widths are no multiples of their number.

def number (i: i64) : f32 = f32.i64 (i * 7919 % 1009) / 1009

entry layers (c: i64)
             (o: i64)
             (n: i64)
             (k: i64) : ([c][n][n]f32, [o][c][k][k]f32, [o]f32) =
  ( tabulate_3d c n n (\l i j -> number ((l * n + i) * n + j))
  , tabulate o (\p ->
    tabulate_3d c k k (\l i j ->
      number (((p * c + l) * k + i) * k + j + 5) - 0.5))
  , tabulate o number
  )

-- ==
-- entry: convolution convolution_by_loops
-- script input { layers 3i64 18i64 9i64 3i64 } auto output
-- script input { layers 2i64 37i64 6i64 2i64 } auto output
-- script input { layers 0i64 20i64 8i64 2i64 } auto output
-- script input { layers 2i64 0i64 8i64 2i64 } auto output
-- script input { layers 1i64 1i64 40i64 5i64 } auto output
entry convolution [c] [o] [n] [k]
                  (image: [c][n][n]f32)
                  (filters: [o][c][k][k]f32)
                  (bias: [o]f32) =
  map2 (\f b ->
    tabulate_2d (n - k + 1) (n - k + 1) (\y x ->
      let s =
        f32.sum (map (\l ->
          f32.sum (map (\i ->
            f32.sum (map (\j -> image[l, y + i, x + j] * f[l, i, j])
                         (iota k))) (iota k))) (iota c))
      in f32.max 0 (s + b))) filters bias

entry convolution_by_loops
    [c] [o] [n] [k]
    (image: [c][n][n]f32)
    (filters: [o][c][k][k]f32)
    (bias: [o]f32) =
  tabulate_3d o (n - k + 1) (n - k + 1) (\p y x ->
    let s =
      loop all = 0 for l < c do
        all
        + (loop rows = 0 for i < k do
             rows
             + (loop s = 0 for j < k do
                  s + image[l, y + i, x + j] * filters[p, l, i, j]))
    in f32.max 0 (s + bias[p]))

entry signal (n: i64) (k: i64) : ([n]f32, [k]f32) =
  (tabulate n number, tabulate k (\i -> number (i + 3)))

-- ==
-- entry: filtered
-- script input { signal 1003i64 16i64 } auto output
-- script input { signal 400i64 1i64 } auto output
-- script input { signal 300i64 300i64 } auto output
entry filtered [n] [k] (xs: [n]f32) (h: [k]f32) : []f32 =
  tabulate (n - k + 1) (\i -> loop s = 0 for j < k do s + xs[i + j] * h[j])

-- ==
-- entry: polynomials
-- script input { signal 517i64 9i64 } auto output
-- script input { signal 517i64 0i64 } auto output
entry polynomials [n] [k] (xs: [n]f32) (h: [k]f32) : [n]f32 =
  map (\x -> loop y = 0 for c in h do y * x + c) xs

-- Branches that only some of the points take, and sums that some of them leave alone.
-- ==
-- entry: chosen
-- script input { signal 531i64 12i64 } auto output
-- input { [0.5f32, f32.nan] [0.25f32] } output { [0.25f32, 0f32] }
entry chosen [n] [k] (xs: [n]f32) (h: [k]f32) : [n]f32 =
  map (\x ->
    loop s = 0 for j < k do
      if x > h[j] then if x > 0.5 then s + x * h[j] else s + h[j] else s) xs

-- The number of steps depends on one index, so the points differ in the other.
-- ==
-- entry: triangle
-- script input { signal 33i64 20i64 } auto output
entry triangle [n] [k] (xs: [n]f32) (h: [k]f32) : [n][k]f32 =
  tabulate_2d n k (\i j -> loop s = h[j] for t < i do s * 0.5 + xs[t])

-- It ends when it wants, for each row at another time.
-- ==
-- entry: halves
-- script input { signal 29i64 23i64 } auto output
entry halves [n] [k] (xs: [n]f32) (h: [k]f32) : [k][n]f32 =
  tabulate_2d k n (\j i ->
    (loop (s, x) = (0, xs[i]) while x > 0.01 do (s + x * h[j], x / 2)).0)

-- What is stored stood there before.
-- ==
-- entry: smoothed
-- script input { signal 402i64 7i64 } auto output
entry smoothed [n] [k] (xs: *[n]f32) (h: [k]f32) : [n]f32 =
  let xs = xs with [0] = 1
  in map (\x -> loop s = x for c in h do s * c + x) xs

-- A place that is none, in one of the points.
-- ==
-- entry: looked_up
-- input { 400i64 [1i64, 2i64, 0i64] 500i64 } auto output
-- input { 400i64 [1i64, 2i64, 0i64] 399i64 } error: Index 400 is out of bounds
entry looked_up [k] (n: i64) (places: [k]i64) (bad: i64) : [n]i64 =
  let table = iota n
  in tabulate n (\i ->
    loop s = 0 for p in places do
      s
      + table[if i == bad && p == 0 then n else (i + p) % n] * p
      + table[p % n])
