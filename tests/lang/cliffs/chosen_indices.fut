-- Where rows and elements are is known to the device alone, which has chosen them: the host does not wait for that.

def best [n] (xs: [n]f32) : i64 =
  (reduce (\(a, i) (b, j) ->
             if a > b || (a == b && i <= j) then (a, i) else (b, j))
          (-f32.inf, n)
          (zip xs (iota n))).1

-- Rows are exchanged, and one is subtracted from all others.
-- ==
-- tune @ loops_apart.tune
-- entry: eliminate
-- input { [[1f32, 2f32, 1f32], [4f32, 1f32, 3f32], [2f32, 3f32, 1f32]] }
-- output { [[4f32, 1f32, 3f32], [0.5f32, 2.5f32, -0.5f32], [0.25f32, 0.7f32, 0.6f32]] [1i64, 2i64, 0i64] } structure run { launches 13 waits 1 sent 0 received 0 }
entry eliminate [n] (a: [n][n]f32) : ([n][n]f32, [n]i64) =
  loop (a, p) = (copy a, iota n) for k < n - 1 do
    let r =
      best (map2 (\i x -> if i >= k then f32.abs x else -1) (iota n) a[:, k])
    let (above, below) = (copy a[k], copy a[r])
    let a[k] = below
    let a[r] = above
    let (pk, pr) = (p[k], p[r])
    let p[k] = pr
    let p[r] = pk
    let row = copy a[k]
    let a =
      map2 (\i xs ->
        map3 (\j x y ->
          let f = xs[k] / row[k]
          in if i <= k || j < k
             then x
             else if j == k
             then f
             else x - f * y) (iota n) xs row) (iota n) a
    in (a, p)

-- The nearest of what is left, as in Prim's and Dijkstra's algorithms.
-- ==
-- entry: nearest_first
-- input { [[0f32, 2f32, 9f32], [2f32, 0f32, 3f32], [9f32, 3f32, 0f32]] }
-- output { [0f32, 2f32, 5f32] [0i64, 1i64, 2i64] } structure run { launches 12 waits 1 sent 0 received 0 }
entry nearest_first [n] (w: [n][n]f32) : ([n]f32, [n]i64) =
  let dist = map (\i -> if i == 0 then 0 else f32.inf) (iota n)
  let (dist, _, order) =
    loop (dist, done, order) = (dist, replicate n false, replicate n 0)
    for k < n do
      let v = best (map2 (\d t -> if t then -f32.inf else -d) dist done)
      let done[v] = true
      let order[k] = v
      in (map2 (\d l -> f32.min d (dist[v] + l)) dist w[v], done, order)
  in (dist, order)

-- The point farthest from those that have been taken.
-- ==
-- entry: farthest
-- input { 3i64 [[0f32, 0f32], [1f32, 0f32], [5f32, 0f32], [0f32, 4f32]] }
-- output { [[0f32, 0f32], [5f32, 0f32], [0f32, 4f32]] } structure run { launches 12 waits 1 sent 8 received 0 }
entry farthest [n] [d] (count: i64) (ps: [n][d]f32) : [count][d]f32 =
  let (taken, _, _) =
    loop (taken, far, v) =
           (replicate count (replicate d 0), replicate n f32.inf, 0)
    for k < count do
      let p = copy ps[v]
      let taken[k] = p
      let far =
        map2 (\q old -> f32.min old (f32.sum (map2 (\x y -> (x - y) ** 2) p q)))
             ps
             far
      in (taken, far, best far)
  in taken

-- A column at an index that the device knows, and a part of a row.
-- ==
-- entry: columns
-- input { [[1f32, 5f32, 2f32], [7f32, 1f32, 3f32]] }
-- output { [[1f32, 1f32, 2f32], [7f32, 7f32, 3f32]] } structure run { launches 4 waits 1 sent 0 received 0 }
entry columns [n] [m] (a: [n][m]f32) : [n][m]f32 =
  let from = best (map (\c -> -f32.sum c) (transpose a)) - 2
  let to = best a[0]
  let column = copy a[:, from]
  in copy a with [:, to] = column

-- Failures are reported, and rows without elements make no difference.
-- ==
-- entry: wrong
-- input { [1f32, 3f32] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] } output { [5f32, 6f32] }
-- input { [1f32, 3f32] [[1f32, 2f32], [3f32, 4f32]] } error: Index 2 is out of bounds for a dimension of length 2
-- input { [1f32, 3f32] empty([2][0]f32) } error: Index 2 is out of bounds for a dimension of length 2
-- input { [3f32, 1f32] empty([2][0]f32) } output { empty([0]f32) }
entry wrong [n] [m] [k] (xs: [n]f32) (a: [m][k]f32) : [k]f32 =
  copy a[best xs * 2 + (if n > 5 then 1 else 0)]

-- ==
-- entry: wrong_update
-- input { [1f32, 3f32] [1, 2, 3] } output { [1, 2, 9] }
-- input { [1f32, 3f32] [1, 2] } error: Index 2 is out of bounds for a dimension of length 2
entry wrong_update [n] [m] (xs: [n]f32) (a: *[m]i32) : *[m]i32 =
  a with [best xs * 2] = 9
