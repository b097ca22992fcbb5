-- Loops in maps that write to the rows they hand on, by scatter and by updates of elements and slices.
-- ==
-- entry: in_loop loops_in_loops views slices of_itself
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
          scatter d
                  (map (+ l) (places m (i + k)))
                  (map (\x -> (x + s) % 1000) d)
      in if m > 3 then d with [k] = s % 77 else d)

entry views (n: i64) (m: i64) : bool =
  agrees n (\i ->
    let d =
      loop d = unflatten (replicate (m * 3) i :> [m * 3]i64) for k < 3 do
        let e = flatten d
        let s = if m > 0 then e[m / 2] else 0
        in unflatten (scatter e
                              (map (\j -> 3 * j + k) (iota m))
                              (map (+ s) (row m i)))
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
