-- Scatter and updates in the rows of maps: a destination is fresh, a row of an input, or computed before, and what was read of it before it
-- is overwritten stays as it was. Each form agrees with the same row made outside of all maps.
-- ==
-- entry: fresh of_input computed read_before several narrow in_loop loops_in_loops views slices of_itself
-- input { 0i64 0i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 3001i64 } output { true }
-- input { 70i64 257i64 } output { true }

-- ==
-- entry: in_branch in_outer_branch rows_of_rows uneven while_it_varies rows_as_values two_columns
-- input { 0i64 0i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 3001i64 } output { true }
-- input { 70i64 257i64 } output { true }

def agrees [m] (n: i64) (f: i64 -> [m]i64) : bool =
  let all = map f (iota n)
  in loop ok = true for i < n do ok && and (map2 (==) all[i] (f i))

def places (m: i64) (i: i64) : [m]i64 = tabulate m (\j -> j + i % 7 - 3)

def row (m: i64) (i: i64) : [m]i64 = tabulate m (\j -> j * 31 + i)

entry fresh (n: i64) (m: i64) : bool =
  agrees n (\i -> scatter (replicate m (-1)) (places m i) (row m i))

entry of_input (n: i64) (m: i64) : bool =
  let rows = tabulate n (row m)
  in agrees n (\i -> scatter (copy rows[i]) (places m i) (map (* 3) rows[i]))

entry computed (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scan (+) 0 (row m i)
              let e = map (+ i) d
              in scatter d (places m i) e)

entry read_before (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scan (+) 0 (row m i)
              let first = if m > 0 then d[0] else 0
              let last = if m > 0 then d[m - 1] else 0
              let total = i64.sum d
              let e = scatter d (map (+ 1) (places m i)) (map (+ last) (row m i))
              let f = scatter e (places m (i + 1)) (map (\x -> x * first + total) (row m i))
              in map (\x -> x + first * last + total) f)

entry several (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scatter (replicate m 0) (places m i) (row m i)
              let e = scatter (copy d) (places m (i + 2)) (map2 (+) d (row m i))
              in map2 (-) d e)

entry narrow (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scatter (row m i) [i, 2 * i, 3] [7, if i == 0 then 7 else 8, if i == 3 then 7 else 9]
              in scatter d [m - 1 - i % 2] [i])

entry in_loop (n: i64) (m: i64) : bool =
  agrees n (\i ->
              loop d = row m i for k < 5 do
                let v = map (\x -> x * 2 + k) d
                in scatter d (map (* 2) (places m (i + k))) v)

entry loops_in_loops (n: i64) (m: i64) : bool =
  agrees n (\i ->
              loop d = row m i for k < 3 do
                let s = i64.sum d
                let d =
                  loop d for l < 3 do
                    scatter d (map (+ l) (places m (i + k))) (map (\x -> (x + s) % 1000) d)
                in if m > 3 then d with [k] = s % 77 else d)

entry views (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d =
                loop d = unflatten (replicate (m * 3) i :> [m * 3]i64) for k < 3 do
                  let e = flatten d
                  let s = if m > 0 then e[m / 2] else 0
                  in unflatten (scatter e (map (\j -> 3 * j + k) (iota m)) (map (+ s) (row m i)))
              in map i64.sum (d :> [m][3]i64))

entry slices (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scan (+) 0 (row m (i + 1))
              let a = m / 3
              let b = m / 2
              let d = d with [a:b] = map (* 2) (row (b - a) i)
              let d = d with [0:b:2] = map (+ 1) (row ((b + 1) / 2) (i + 1))
              in if m > 0 then d with [i % m] = 5 else d)

entry of_itself (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scan (+) 0 (row m (i + 1))
              let h = m / 2
              in d with [m - h:m] = copy d[0:h])

entry in_branch (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scan (+) 0 (row m (i + 1))
              in if i % 3 == 0
                 then scatter d (places m i) (row m i)
                 else if i % 3 == 1 then map (+ 1) d else d)

entry in_outer_branch (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scan (+) 0 (row m (i + 1))
              let s = if m > 0 then d[m / 2] else 1
              let d = if m % 2 == 1 then scatter d (places m i) (row m i) else map (+ 1) d
              in map (* s) d)

entry rows_of_rows (n: i64) (m: i64) : bool =
  let inputs = tabulate_3d n 3 m (\i l j -> i * 10 + l * 100 + j)
  let f (i: i64) =
    let rows =
      map2 (\l input ->
              let d = map (+ l) input
              let d = scatter d (places m (i + l)) (map (* 2) input)
              in scatter d [l, m - 1] [i, i])
           (iota 3)
           inputs[i]
    in map i64.sum (transpose rows)
  in agrees n f

entry uneven (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let some = filter (\j -> (j + i) % 3 != 0) (iota m)
              let d = scatter (row m i) some (map (* i) some)
              let odd = filter (\x -> x % 2 == i % 2) (iota (m / 2))
              in scatter d (map (+ 1) odd) (map (\_ -> i) odd))

entry while_it_varies (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let (d, _) =
                loop (d, k) = (row m i, i % 5) while k > 0 do
                  (scatter d (places m (i + k)) (map (\x -> x % 100 + k) d), k - 1)
              in d)

entry rows_as_values (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let d = scatter (replicate m [i, i, i]) (places m i) (tabulate m (\j -> [j, j + 1, i]))
              in map i64.sum d)

entry two_columns (n: i64) (m: i64) : bool =
  agrees n (\i ->
              let (a, b) =
                unzip (scatter (zip (row m i) (replicate m 1i32))
                               (places m i)
                               (zip (map (* 2) (row m i)) (map i32.i64 (iota m))))
              in map2 (\x y -> x + i64.i32 y) a b)
