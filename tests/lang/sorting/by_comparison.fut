-- `sort_by` merges by whatever comparison it is given, and is stable.
-- ==
-- entry: downwards
-- input { [3, 1, 2, 5, 4] } output { [5, 4, 3, 2, 1] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [7] } output { [7] }

-- ==
-- entry: records
-- input { [2, 1, 2, 1] [1f32, 2f32, -1f32, 2f32] }
-- output { [1, 1, 2, 2] [2f32, 2f32, -1f32, 1f32] [1i64, 3i64, 2i64, 0i64] }

-- ==
-- entry: rows
-- input { [[3, 1], [1, 2], [2, 3], [1, 1]] } output { [[1, 2], [1, 1], [2, 3], [3, 1]] }

-- ==
-- entry: many
-- input { 33i64 } output { true }
-- input { 64i64 } output { true }
-- input { 1025i64 } output { true }
-- compiled input { 30011i64 } output { true }
-- seldom input { 100003i64 } output { true }

entry downwards (xs: []i32) = sort_by (>=) xs

type point = {x: i32, y: f32, number: i64}

-- | By `x`, then by `y`.
def before (p: point) (q: point) : bool =
  p.x < q.x || (p.x == q.x && p.y <= q.y)

entry records [n] (xs: [n]i32) (ys: [n]f32) : ([n]i32, [n]f32, [n]i64) =
  map3 (\x y number -> {x, y, number}) xs ys (iota n)
  |> sort_by before
  |> map (\p -> (p.x, p.y, p.number))
  |> unzip3

entry rows [n] (xss: [n][2]i32) = sort_by (\xs ys -> xs[0] <= ys[0]) xss

entry many (n: i64) : bool =
  let pairs = tabulate n (\i -> (i * 40503 % 65537 % 1000, i))
  let sorted = sort_by (\(k, _) (l, _) -> k <= l) pairs
  in all (\i ->
    let ((k, x), (l, y)) = (sorted[i - 1], sorted[i])
    in k < l || (k == l && x < y)) (1..<n)
