-- A group of threads for each element of a map, in which there is more than operators one after the other: reductions of rows, each by some threads,
-- histograms, branches that choose rows, sizes that change in a loop, neutral elements that differ, maps in maps around it, loops that
-- end when something holds.

def data (i: i64) (j: i64) : i64 = (i * 7919 + j * j * 31 + j) % 1009

def cube (q: i64) (n: i64) : [q][n][n]i64 =
  tabulate_3d q n n (\i j k -> data i (j * n + k))

-- A matrix by a vector, again and again, by rows and by columns.
-- ==
-- tune @ ../cliffs/groups.tune
-- entry: powers columns
-- input { 5i64 3i64 }
-- auto output
-- input { 3i64 40i64 }
-- auto output structure run { launches 2 waits 1 sent 0 received 0 }
-- input { 4i64 1i64 }
-- auto output
-- input { 3i64 0i64 }
-- auto output
-- compiled input { 2i64 300i64 }
-- auto output
entry powers (q: i64) (n: i64) : [][]i64 =
  let power (a: [n][n]i64) : [n]i64 =
    loop x = iota n for _i < 5 do
      map2 (\row y -> (y + i64.sum (map2 (*) row x)) % 1009) a (iota n)
  in cube q n |> map power

entry columns (q: i64) (n: i64) : [][]i64 =
  let power (a: [n][n]i64) : [n]i64 =
    loop x = iota n for i < 5 do
      map (\column -> (i + i64.sum (map2 (*) column x)) % 1009) (transpose a)
  in cube q n |> map power

-- An operator whose order shows, on pairs, and something behind it.
-- ==
-- entry: paths
-- input { 4i64 17i64 }
-- auto output structure run { launches 2 waits 1 sent 0 received 0 }
-- compiled input { 2i64 130i64 }
-- auto output
entry paths (q: i64) (n: i64) : [][]i64 =
  let last (a: i64, i: i64) (b: i64, j: i64) =
    if j < 0 || a > b then (a, i) else (b, j)
  let step (a: [n][n]i64) : [n]i64 =
    (loop (x, from) = (iota n, iota n) for _i < 3 do
       unzip (map2 (\row y ->
         let (s, p) = reduce last (-1, -1) (zip (map2 (+) row x) from)
         in ((y + s) % 1009, (p + y) % n)) a (iota n))).1
  in cube q n |> map step

-- A reduction, and a row made of it: two maps.
-- ==
-- entry: reflect
-- input { 4i64 19i64 }
-- auto output structure run { launches 1 waits 1 sent 0 received 0 }
-- input { 2i64 65i64 }
-- auto output
entry reflect (q: i64) (n: i64) : [][][]i64 =
  let turn (a: [n][n]i64) : [n][n]i64 =
    loop a for k < n do
      let v = copy a[k]
      in map (\row ->
        let d = i64.sum (map2 (*) v row)
        in map2 (\x y -> (x + d * y) % 1009) row v) a
  in cube q n |> map turn

-- Rows that are chosen, whole or by elements.
-- ==
-- entry: eliminate
-- input { 4i64 21i64 }
-- auto output structure run { launches 1 waits 1 sent 0 received 0 }
-- input { 2i64 70i64 }
-- auto output
entry eliminate (q: i64) (n: i64) : [][][]i64 =
  let factor (a: [n][n]i64) : [n][n]i64 =
    loop a for k < n do
      let pivot = copy a[k]
      in map2 (\i row ->
        if i <= k
        then row
        else let f = row[k] * 5 + 1
             in map2 (\j x -> if j < k then x else (x + f * pivot[j]) % 1009)
                     (iota n)
                     row) (iota n) a
  in cube q n |> map factor

-- As many elements as iterations before.
-- ==
-- entry: substitute
-- input { 5i64 30i64 }
-- auto output structure run { launches 1 waits 1 sent 0 received 0 }
-- compiled input { 2i64 400i64 }
-- auto output
entry substitute (q: i64) (n: i64) : [][]i64 =
  let solve (a: [n][n]i64) (b: [n]i64) : [n]i64 =
    loop y = copy b for i < n do
      y with [i] = (y[i] + i64.sum (map2 (*) (take i a[i]) (take i y))) % 1009
  in map2 solve (cube q n) (tabulate_2d q n data)

-- What is taken if there is nothing else, of each element.
-- ==
-- entry: climb
-- input { 6i64 50i64 }
-- auto output structure run { launches 1 waits 1 sent 0 received 0 }
-- input { 3i64 0i64 }
-- auto output
entry climb (q: i64) (n: i64) : []i64 =
  let first (f: bool, x: i64) (g: bool, y: i64) = if f then (f, x) else (g, y)
  let top (xs: [n]i64) : i64 =
    loop v = 0 for _i < 9 do
      (reduce first (false, v) (map (\x -> (x > v, x)) xs)).1
  in tabulate_2d q n data |> map top

-- Histograms: what memory combines, and what it does not, in order.
-- ==
-- entry: votes
-- input { 5i64 40i64 }
-- auto output structure run { launches 1 waits 1 sent 0 received 0 }
-- compiled input { 3i64 700i64 }
-- auto output
-- input { 3i64 1i64 }
-- auto output
-- input { 2i64 0i64 }
-- auto output
entry votes (q: i64) (n: i64) : [][]i64 =
  let round (xs: [n]i64) : [n]i64 =
    loop xs for j < 4 do
      let most = hist i64.max 0 n (map (\x -> (x + j) % n) xs) xs
      let sums = hist (+) 0f32 n (map (\x -> (x * 3) % n) xs) (map f32.i64 xs)
      let latest (a: i32, b: i64) (c: i32, d: i64) =
        if c >= a then (c, d) else (a, b)
      let (_, picked) =
        unzip (reduce_by_index (replicate n (-1, 0))
                               latest
                               (-1, 0)
                               (map (\x -> x % (n / 2 + 1)) xs)
                               (zip (map i32.i64 xs) xs))
      in map3 (\a b c -> (a + i64.f32 b + c) % 1009) most sums picked
  in tabulate_2d q n data |> map round

-- Maps around it, and a sum of all.
-- ==
-- entry: trials
-- input { 3i64 4i64 30i64 }
-- auto output structure run { launches 2 waits 1 sent 0 received 0 }
-- input { 2i64 0i64 30i64 }
-- auto output
-- input { 3i64 2i64 1i64 }
-- auto output
entry trials (q: i64) (k: i64) (n: i64) : []i64 =
  let settle (p: i64) (t: i64) : i64 =
    let xs = tabulate n (\i -> (data (p * 31 + t) i) % n)
    let (xs, _) =
      loop (xs, go) = (xs, true) while go do
        let ys = map (\x -> i64.min x xs[x]) xs
        in (ys, or (map2 (!=) xs ys))
    in i64.sum xs
  in tabulate q (\p -> i64.sum (tabulate k (settle p)))

-- ==
-- entry: strays
-- input { [[1i64, 2i64, 0i64], [2i64, 1i64, 0i64]] }
-- output { [[0i64, 0i64, 0i64], [0i64, 1i64, 0i64]] }
-- input { [[1i64, 2i64, 0i64], [2i64, 1i64, 7i64]] }
-- error: out of bounds
entry strays [q] [n] (xss: [q][n]i64) : [q][n]i64 =
  let settle (xs: [n]i64) : [n]i64 =
    (loop (xs, go) = (xs, true) while go do
       let ys = map (\x -> i64.min x xs[x]) xs
       in (ys, or (map2 (!=) xs ys))).0
  in map settle xss
