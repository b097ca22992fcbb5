-- Rows that are written one by one in each element of a map, and rows that are found after some work: all elements at once.
-- ==
-- entry: products
-- input { [1u64, 2u64, 3u64, 4u64] [5u64, 6u64, 7u64, 8u64] } output { [5u64, 16u64, 34u64, 60u64, 61u64, 52u64, 32u64, 0u64] }
-- input { [1u64] [2u64] } output { [2u64, 0u64] }

-- ==
-- entry: matrices
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8, 9] } auto output
-- input { empty([0][3]i32) [7, 8, 9] } auto output
-- input { empty([0][0]i32) empty([0]i32) } auto output

-- ==
-- entry: tails
-- input { [3, 1, 4, 1, 5, 9, 2, 6] [4i64, 0i64, 8i64, 3i64] } auto output
-- input { [3, 1, 4] [2i64, 4i64] } error: slice
-- input { [3, 1, 4] empty([0]i64) } auto output

-- ==
-- entry: swapped
-- input { [1i64, 5i64, 3i64, 0i64] [4i64, 2i64, 3i64, 0i64] } auto output

-- Karatsuba: three products for the two halves of each factor.
def product [n] (a: [n]u64) (b: [n]u64) : []u64 =
  if n <= 1 || n % 2 == 1
  then tabulate (2 * n) (\k ->
    u64.sum (map (\i -> if k - i >= 0 && k - i < n then a[i] * b[k - i] else 0)
                 (iota n)))
  else
    let h = n / 2
    let (a0, a1) = (a[:h], a[h:] :> [h]u64)
    let (b0, b1) = (b[:h], b[h:] :> [h]u64)
    let ps =
      map (\(x, y) -> product x y)
          [(a0, b0), (a1, b1), (map2 (+) a0 a1, map2 (+) b0 b1)]
    let (p, q, r) = (ps[0] :> [n]u64, ps[1] :> [n]u64, ps[2] :> [n]u64)
    let at [m] (xs: [m]u64) k = if k >= 0 && k < m then xs[k] else 0
    in tabulate (2 * n) (\k ->
      at p k + at r (k - h) - at p (k - h) - at q (k - h) + at q (k - n))

entry products [n] (a: [n]u64) (b: [n]u64) : []u64 = product a b

-- Several arrays of rows at once, and a number.
entry matrices [n] [m]
               (xss: [n][m]i32)
               (ys: [m]i32) : ([n][2][m]i32, [n][3][m]i32, [n]i32) =
  unzip3 (map (\xs -> ([xs, ys], [ys, reverse xs, xs], i32.sum xs)) xss)

-- Where a row begins takes a loop.
entry tails [n] (xs: [n]i32) (from: []i64) : ([]i32, []i64, []i64) =
  let (rows, steps) =
    unzip (map (\f ->
      let (p, s) = loop (p, s) = (f, 0i64) while p > 2 do (p / 2, s + 1)
      in (xs[p:f], s)) from)
  in (irregular.flatten rows, map length rows, steps)

-- Rows that are handed round.
def longer_first (a: []i64) (b: []i64) : ([]i64, []i64) =
  loop (a, b) = (a, b) while length a < length b do (b, a)

entry swapped [n] (as: [n]i64) (bs: [n]i64) : ([]i64, []i64) =
  let (ls, rs) =
    unzip (map2 (\a b -> longer_first (iota a) (map (+ 10) (iota b))) as bs)
  in (irregular.flatten ls, irregular.flatten rs)
