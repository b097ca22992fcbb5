-- Scatter in rows of rows, of rows, of several columns, of some elements of each row, in branches and loops that vary.
-- ==
-- entry: in_branch in_outer_branch rows_of_rows uneven while_it_varies rows_as_values two_columns in_rows_of_all_lengths
-- input { 0i64 0i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 3001i64 } output { true }
-- compiled input { 70i64 257i64 } output { true }

def agrees [m] (n: i64) (f: i64 -> [m]i64) : bool =
  let all = map f (iota n)
  in loop ok = true for i < n do ok && and (map2 (==) all[i] (f i))

def places (m: i64) (i: i64) : [m]i64 = tabulate m (\j -> j + i % 7 - 3)

def row (m: i64) (i: i64) : [m]i64 = tabulate m (\j -> j * 31 + i)

entry in_branch (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let d = scan (+) 0 (row m (i + 1))
    in if i % 3 == 0
       then scatter d (places m i) (row m i)
       else if i % 3 == 1
       then map (+ 1) d
       else d)

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
        in scatter d [l, m - 1] [i, i]) (iota 3) inputs[i]
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
    let d =
      scatter (replicate m [i, i, i])
              (places m i)
              (tabulate m (\j -> [j, j + 1, i]))
    in map i64.sum d)

entry two_columns (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let (a, b) =
      unzip (scatter (zip (row m i) (replicate m 1i32))
                     (places m i)
                     (zip (map (* 2) (row m i)) (map i32.i64 (iota m))))
    in map2 (\x y -> x + i64.i32 y) a b)

entry in_rows_of_all_lengths (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let sums =
      map (\j ->
        i64.sum (scatter (row m i)
                         (places m j)
                         (map (+ 1) (row m j)))) (iota (i * 7 % 5))
    in replicate m (i64.sum sums))
