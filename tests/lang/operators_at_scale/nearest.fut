-- Reductions of rows in reductions: each thread goes through all rows, which it combines with the same one.
-- ==
-- entry: nearest
-- input { 300i64 33i64 5i64 } output { true }
-- input { 300i64 8i64 16i64 } output { true }
-- input { 300i64 7i64 3i64 } output { true }
-- input { 300i64 16i64 1i64 } output { true }
-- input { 300i64 17i64 0i64 } output { true }
-- input { 300i64 0i64 4i64 } output { true }
-- input { 0i64 9i64 4i64 } output { true }
entry nearest (n: i64) (k: i64) (d: i64) : bool =
  let points = tabulate_2d n d (\i j -> i32.i64 ((i * 7 + j * i * 3) % 101))
  let centres = tabulate_2d k d (\i j -> i32.i64 ((i * 31 + j * 17) % 101))
  let distance [d] (a: [d]i32) (b: [d]i32) =
    i32.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  let closer (i, a) (j, b) = if b < a then (j, b) else (i, a)
  let choose point =
    (reduce closer
            (-1, i32.highest)
            (zip (iota k) (map (distance point) centres))).0
  let slowly i =
    let (best, _) =
      loop (best, least) = (-1, i32.highest)
      for c < k do
        let far =
          loop far = 0
          for j < d do
            let x = points[i, j] - centres[c, j] in far + x * x
        in closer (best, least) (c, far)
    in best
  in and (map2 (==) (map choose points) (map slowly (iota n)))

-- The rows are combined in their order.
-- ==
-- entry: in_order
-- input { 100i64 29i64 6i64 } output { true }
-- input { 100i64 64i64 2i64 } output { true }
entry in_order (n: i64) (k: i64) (d: i64) : bool =
  let rows = tabulate_2d n d (\i j -> (i * 7 + j * 3) % 11)
  let others = tabulate_2d k d (\i j -> (i * 5 + j * j) % 13)
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let dot [d] (a: [d]i64) (b: [d]i64) = i64.sum (map2 (*) a b)
  let element row other = let x = dot row other in (1 + x % 1000, x % 7)
  let all = map (\row -> reduce after (1, 0) (map (element row) others)) rows
  let one row = loop sum = (1, 0) for i < k do after sum (element row others[i])
  in and (map2 (==) all (map one rows))
