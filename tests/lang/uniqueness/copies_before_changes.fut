-- Arrays are read while they are changed in place: what was read before a change must not show it.
-- ==
-- entry: shifted kept rows
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 7i64 } auto output
-- input { 1000i64 } auto output

entry shifted (n: i64) : [n + 1]i64 =
  loop xs = tabulate (n + 1) id
  for _k < 5i64 do
    let new =
      map2 (\a b -> a * 3 + b) (xs[1:] :> [n]i64) (xs[:n] :> [n]i64)
    in xs with [1:] = (new :> [n + 1 - 1]i64)

entry kept (n: i64) : ([n]i64, [n]i64) =
  let xs = iota n
  let before = zip xs (rotate 1 xs)
  let xs = loop xs = copy xs for i < n do xs with [i] = xs[i] * 2 + i
  in (xs, map (\(a, b) -> a * 1000 + b) before)

entry rows (n: i64) : [n][3]i64 =
  loop xss = tabulate_2d n 3 (\i j -> i * 3 + j)
  for k < i64.min n 4 do
    let row = copy xss[k]
    let xss = xss with [n - 1 - k] = map2 (+) row xss[n - 1 - k]
    in xss with [k] = map2 (-) row (rotate 1 row)

-- What is fused with something later still reads what was there before.
-- ==
-- entry: mapped summed zipped
-- input { [1, 2, 3, 4, 5] } auto output

entry mapped [n] (xs: *[n]i32) : ([n]i32, [n]i32) =
  let m = map (+ 1) (copy xs)
  let ys = xs with [0] = 100
  in (ys, map (* 2) m)

entry summed [n] (xs: *[n]i32) : ([n]i32, i32) =
  let m = map2 (+) (rotate 1 xs) xs
  let ys = scatter xs [0, 2] [7, 8]
  in (ys, reduce (+) 0 m)

entry zipped [n] (xs: *[n]i32) : ([n]i32, [n]i32) =
  let m = zip xs (reverse xs)
  let ys = loop ys = xs for i < n do ys with [i] = ys[i] * 3
  in (ys, map (\(a, b) -> a * 10 + b) m)
