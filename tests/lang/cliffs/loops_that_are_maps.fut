-- A loop whose steps do not depend on each other is a map, outside of maps and inside.

-- ==
-- tune @ apart.tune
-- entry: mapped looped looped_backwards looped_over_rows
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[2i32, 5i32, 10i32], [17i32, 26i32, 37i32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry mapped [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (map (\x -> x * x + 1)) xss

entry looped [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  loop out = replicate n (replicate m 0) for i < n do
    loop out for j < m do out with [i, j] = xss[i, j] * xss[i, j] + 1

entry looped_backwards [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs ->
    loop out = replicate m 0 for j < m do
      out with [m - 1 - j] = xs[m - 1 - j] * xs[m - 1 - j] + 1) xss

entry looped_over_rows [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  loop out = copy xss for i < n do out with [i] = map (\x -> x * x + 1) xss[i]

-- ==
-- entry: in_place in_place_by_map
-- input { [1, 2, 3, 4] }
-- output { [3i32, 6i32, 9i32, 12i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry in_place [n] (xs: *[n]i32) : *[n]i32 =
  loop xs for i < n do xs with [i] = xs[i] * 3

entry in_place_by_map [n] (xs: *[n]i32) : *[n]i32 = map (* 3) xs

-- ==
-- entry: total total_by_i32 total_by_loop total_backwards total_in_any_order
-- input { [1, 2, 3, 4, 5] }
-- output { 45i32 } structure run { launches 1 waits 1 sent 0 received 4 }
entry total [n] (xs: [n]i32) : i32 = i32.sum (map (* 3) xs)

entry total_by_loop [n] (xs: [n]i32) : i32 = loop s = 0 for x in xs do s + x * 3

entry total_by_i32 [n] (xs: [n]i32) : i32 =
  let k = i32.i64 n
  in loop s = 0 for i < k do s + xs[i] * 3

entry total_backwards [n] (xs: [n]i32) : i32 =
  loop s = 0 for i < n do 3 * xs[n - 1 - i] + s

entry total_in_any_order [n] (xs: [n]i32) : i32 =
  reduce_comm (\a b -> b + a) 0 (tabulate n (\i -> xs[i] * 3))

-- ==
-- entry: of_rows of_rows_by_loop of_rows_by_outer_loop
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [14i32, 77i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry of_rows [n] [m] (xss: [n][m]i32) : [n]i32 =
  map (\xs -> i32.sum (map (\x -> x * x) xs)) xss

entry of_rows_by_loop [n] [m] (xss: [n][m]i32) : [n]i32 =
  map (\xs -> loop s = 0 for x in xs do s + x * x) xss

entry of_rows_by_outer_loop [n] [m] (xss: [n][m]i32) : [n]i32 =
  loop out = replicate n 0 for i < n do
    out with [i] = i32.sum (tabulate m (\j -> xss[i, j] * xss[i, j]))

-- Only some elements, those in the middle, and a sum beside them.
-- ==
-- entry: some some_by_branch some_by_parts
-- input { [3, 1, 4, 1, 5, 9] }
-- output { [6i32, 0i32, 8i32, 0i32, 10i32, 18i32] 23i32 } structure run { launches 1 waits 1 sent 0 received 4 }
entry some [n] (xs: [n]i32) : ([n]i32, i32) =
  ( map (\x -> if x > 2 then x * 2 else 0) xs
  , i32.sum (map (\x -> if x > 2 then x else 1) xs)
  )

entry some_by_branch [n] (xs: [n]i32) : ([n]i32, i32) =
  loop (out, s) = (replicate n 0, 0) for i < n do
    if xs[i] > 2 then (out with [i] = xs[i] * 2, s + xs[i]) else (out, 1 + s)

entry some_by_parts [n] (xs: [n]i32) : ([n]i32, i32) =
  let (s, out) =
    loop (s, out) = (0, replicate n 0) for i < n do
      let j = n - 1 - i
      let out = out with [j] = if xs[j] <= 2 then 0 else xs[j] * 2
      in (if out[j] > 0 then s + xs[j] else s + 1, out)
  in (out, s)

-- ==
-- entry: middle middle_by_loop
-- input { [3, 1, 4, 1, 5, 9] }
-- output { [3i32, 7i32, 2i32, 9i32, 10i32, 9i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry middle [n] (xs: [n]i32) : [n]i32 =
  let ys = map (\i -> xs[i] + xs[i + 2]) (iota (n - 2))
  in copy xs with [1:n - 1] = sized (n - 2) ys

entry middle_by_loop [n] (xs: [n]i32) : [n]i32 =
  loop out = copy xs for i in 1..<n - 1 do out with [i] = xs[i - 1] + xs[i + 1]
