-- Scatter in the rows of maps: a destination is fresh, a row of an input, or computed before, and what was read of it before it is
-- overwritten stays as it was. Each form agrees with the same row made outside of all maps.
-- ==
-- entry: fresh of_input computed read_before several narrow
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
    let f =
      scatter e (places m (i + 1)) (map (\x -> x * first + total) (row m i))
    in map (\x -> x + first * last + total) f)

entry several (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let d = scatter (replicate m 0) (places m i) (row m i)
    let e = scatter (copy d) (places m (i + 2)) (map2 (+) d (row m i))
    in map2 (-) d e)

entry narrow (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let d =
      scatter (row m i)
              [i, 2 * i, 3]
              [7, if i == 0 then 7 else 8, if i == 3 then 7 else 9]
    in scatter d [m - 1 - i % 2] [i])
