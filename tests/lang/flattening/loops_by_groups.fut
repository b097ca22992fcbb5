-- Loops and branches in a map, each of whose elements is done by a group of threads: nothing in them is a launch.

def data (i: i64) (j: i64) : i64 = (i * 7919 + j * j * 31 + j) % 1009

def mixed [n] (xs: [n]i64) : i64 =
  loop s = 0 for x in xs do (s * 31 + x) % 1000000007

-- Diagonals of blocks, in place.
-- ==
-- entry: wavefront
-- input { 5i64 40i64 } output { 690796219i64 }
-- input { 2i64 17i64 } output { 398789452i64 }
-- input { 3i64 1i64 } output { 27239i64 }
-- input { 0i64 40i64 } output { 0i64 }
entry wavefront (q: i64) (b: i64) : i64 =
  let solve (c: [b][b]i64) : [b]i64 =
    let best =
      loop best = replicate ((b + 1) * (b + 1)) 0 |> unflatten
      for d < 2 * b - 1 do
        let cell t =
          let (i, j) = (t, d - t)
          in if j < 0 || j >= b then (-1, -1) else (i + 1, j + 1)
        let value t =
          let (i, j) = cell t
          in if i < 0
             then 0
             else c[i - 1, j - 1]
                  + i64.min best[i - 1, j - 1]
                            (i64.min best[i - 1, j] best[i, j - 1])
        in scatter_2d best (tabulate b cell) (tabulate b value)
    in tabulate b (\j -> best[b, j + 1])
  in tabulate_3d q b b (\i j k -> data i (j * b + k))
     |> map solve
     |> flatten
     |> mixed

-- New arrays in each iteration, elements that all threads read, a row that is updated.
-- ==
-- entry: eliminate
-- input { 4i64 24i64 } output { 288336238i64 }
-- input { 1i64 33i64 } output { 508373551i64 }
-- compiled input { 2i64 90i64 } output { 364197852i64 }
entry eliminate (q: i64) (b: i64) : i64 =
  let factor (a: *[b][b]i64) : *[b][b]i64 =
    loop a for k < b - 1 do
      let l =
        tabulate b (\i -> if i <= k then 0 else (a[i, k] * 5 + a[k, k]) % 1009)
      let a =
        tabulate_2d b b (\i j ->
          if j < k then a[i, j] else (a[i, j] + l[i] * a[k, j]) % 1009)
      in a with [k + 1:b, k] = l[k + 1:b]
  in tabulate q (\i -> factor (tabulate_2d b b (\j k -> data i (j * b + k))))
     |> flatten_3d
     |> mixed

-- Two arrays that change their places, one that stays, a number, and a loop that goes on until it is enough.
-- ==
-- entry: until_enough
-- input { 6i64 100i64 } output { 576105285i64 }
-- compiled input { 2i64 1000i64 } output { 9791586i64 }
-- input { 2i64 20i64 } output { 974807050i64 }
entry until_enough (q: i64) (n: i64) : i64 =
  let run (i: i64) =
    let xs = tabulate n (data i)
    let ys = tabulate n (\j -> data (i + 1) j)
    let (xs, ys, zs, _, steps) =
      loop (xs, ys, zs, most, steps) = (xs, ys, replicate n 1, 0, 0)
      while most < 3000 + 100 * i && steps < 40 do
        let zs = map2 (\z x -> (z + x) % 1009) zs xs
        let ws = scan (+) 0 ys
        let most = i64.maximum (map2 (\w z -> w % 977 + z) ws zs) + 60 * steps
        in (ys, map2 (\x w -> (x + w) % 1009) xs ws, zs, most, steps + 1)
    in mixed (xs ++ ys ++ zs) + steps
  in mixed (tabulate q run)

-- Branches that make arrays, hand one on, or update it; joined arrays; rows and columns of what was made.
-- ==
-- entry: branches
-- input { 6i64 30i64 } output { 247017700i64 }
-- compiled input { 3i64 90i64 } output { 119529085i64 }
entry branches (q: i64) (n: i64) : i64 =
  let run (i: i64) =
    let start = tabulate_2d n 4 (\j k -> data (i + k) j)
    let (table, sums) =
      loop (table, sums) = (start, replicate n 0) for k < 12 do
        let row = table[k % n]
        let column = transpose table |> head
        let table =
          if (row[0] + k) % 3 == 0
          then tabulate_2d n 4 (\j l ->
            (table[(j + 1) % n, l] + column[j]) % 1009)
          else if row[1] % 2 == 0
          then table
          else copy table with [0] = map (+ 1) row
        let sums =
          if k % 2 == 0
          then map2 (+) sums (map (\r -> r[0] * r[3] % 1009) table)
          else let h = n / 2 in rotate 1 (sums[h:] ++ sums[:h] :> [n]i64)
        in (table, sums)
    in mixed (flatten table ++ sums)
  in mixed (tabulate q run)

-- More than a group has room for: the same by all groups together.
-- ==
-- entry: smooth
-- input { 3i64 500i64 30i64 } output { 772021436i64 }
-- compiled input { 3i64 9000i64 5i64 } output { 2585089i64 }
-- compiled input { 200i64 70i64 9i64 } output { 378370112i64 }
entry smooth (q: i64) (n: i64) (steps: i64) : i64 =
  let run (i: i64) =
    loop xs = tabulate n (data i) for _k < steps do
      let left j = xs[i64.max 0 (j - 1)]
      let right j = xs[i64.min (n - 1) (j + 1)]
      in tabulate n (\j -> (left j + 2 * xs[j] + right j) / 4)
  in tabulate q run |> flatten |> mixed

-- What fails in a group fails the program.
-- ==
-- entry: outside
-- input { 3i64 100i64 } error: Index
-- input { 3i64 50i64 } output { 17529499i64 }
entry outside (q: i64) (n: i64) : i64 =
  let run (i: i64) =
    loop xs = tabulate n (data i) for k < 3 do
      tabulate n (\j ->
        xs[j + (if k == 2 && i == 1 && j == 70 then n else 0)] + 1)
  in tabulate q run |> flatten |> mixed

-- The steps on each grid go on until nothing changes there.
-- ==
-- entry: spread_each
-- input { [[[5, 0, 7], [0, 0, 3], [2, 2, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[9, 8, 7], [6, 5, 4], [3, 2, 1]]] }
-- output { [[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]]] [4i64, 1i64, 5i64] }
-- input { empty([0][2][2]i32) } output { empty([0][2][2]i32) empty([0]i64) }
-- input { empty([2][0][2]i32) } output { empty([2][0][2]i32) [1i64, 1i64] }
entry spread_each [k] [n] [m] (grids: [k][n][m]i32) : ([k][n][m]i32, [k]i64) =
  unzip (map (\x ->
    let (x, _, steps) =
      loop (x, changes, steps) = (x, true, 0) while changes do
        let next =
          tabulate_2d n m (\i j ->
            i32.min x[i, j] (i32.min x[(i + 1) % n, j] x[i, (j + 1) % m]))
        in (next, or (flatten (map2 (map2 (!=)) x next)), steps + 1)
    in (x, steps)) grids)
