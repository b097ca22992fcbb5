-- Loops in maps that hand on numbers which are the same for all rows: they decide whether there is another step, or how far elements are apart.
-- ==
-- entry: sorted
-- input { 3i64 8i64 } output { true }
-- input { 5i64 64i64 } output { true }
-- input { 0i64 8i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- compiled input { 300i64 256i64 } output { true }
-- entry: doubled
-- input { 4i64 10i64 } output { true }
-- input { 2i64 1i64 } output { true }
-- compiled input { 50i64 3000i64 } output { true }
-- entry: mixed
-- input { 4i64 10i64 } output { true }
-- entry: padded
-- input { 3i64 [[1, 5, 2, 4], [3, 3, 9, 1]] } output { [12, 16] }
-- input { 1i64 [[1, 5, 2, 4], [3, 3, 9, 1]] } output { [12, 16] }
-- input { 0i64 [[1, 5, 2, 4], [3, 3, 9, 1]] } error: Division by zero
-- input { 0i64 empty([0][4]i32) } output { empty([0]i32) }
def h (i: i64) : i64 = (i * 7919 + 13) % 1009

-- Batcher's network: both steps are the same for all rows.
def bitonic [n] (xs: [n]i64) : [n]i64 =
  let (ys, _) =
    loop (ys: [n]i64, k) = (xs, 2i64) while k <= n do
      let (ys, _) =
        loop (ys: [n]i64, j) = (ys, k / 2) while j > 0 do
          let zs =
            map (\i ->
              let l = i ^ j
              let (a, b) = (ys[i], ys[l])
              let up = i & k == 0
              in if l > i
                 then (if up then i64.min a b else i64.max a b)
                 else if up
                 then i64.max a b
                 else i64.min a b) (iota n)
          in (zs, j / 2)
      in (ys, k * 2)
  in ys

entry sorted (m: i64) (n: i64) : bool =
  let rows = tabulate_2d m n (\i j -> h (i * n + j))
  in and (map (\row ->
    let s = bitonic row
    in and (map (\i -> i == 0 || s[i - 1] <= s[i]) (iota n))
       && i64.sum s == i64.sum row) rows)

-- Running sums: how far the other element is away is the same for all.
entry doubled (m: i64) (n: i64) : bool =
  let rows = tabulate_2d m n (\i j -> h (i * n + j))
  let sums [k] (xs: [k]i64) =
    (loop (ys: [k]i64, d) = (xs, 1i64) while d < k do
       ( map (\i -> if i < d then ys[i] else ys[i] + ys[i - d]) (iota k)
       , d * 2
       )).0
  in and (map (\row -> and (map2 (==) (sums row) (scan (+) 0 row))) rows)

-- Of two numbers, one is the same for all rows and says when it ends, and the other is not.
entry mixed (m: i64) (n: i64) : bool =
  let f [k] (i: i64) (xs: [k]i64) =
    let (ys, c, _) =
      loop (ys: [k]i64, c, left) = (xs, i, 5i64) while left > 0 do
        (map (+ c) ys, c + ys[0] % 7, left - 1)
    in (c, i64.sum ys)
  let both = map (\i -> f i (tabulate n (\j -> h (i * n + j)))) (iota m)
  in (loop ok = true for i < m do
        let (a, b) = f i (tabulate n (\j -> h (i * n + j)))
        in ok && both[i].0 == a && both[i].1 == b)

-- The length of what a row becomes is a quotient of numbers that are the same for all rows.
entry padded [h] [w] (k: i64) (img: [h][w]i32) : [h]i32 =
  map (\row ->
    let m = (w + k) / k * k
    let p = tabulate m (\i -> if i < w then row[i] else 0)
    in reduce i32.max 0 (scan (+) 0 p)) img
