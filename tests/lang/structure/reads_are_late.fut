-- A number of an array and a sum decide together: the host reads both after the last kernel of a step, wherever the program mentions the number first.
-- ==
-- tune @ ../cliffs/loops_apart.tune
-- entry: early late
-- input { 8i64 3i64 } output { 11i64 }
-- structure run { launches 8 waits 4 }
entry early (n: i64) (steps: i64) : i64 =
  let (xs, _) =
    loop (xs, ys) = (iota n, iota n)
    for i < steps do
      let x = xs[i]
      let ys = map (+ i) ys
      in if (x + i64.sum ys) % 2 == 0 then (map (+ 1) ys, ys) else (xs, ys)
  in i64.maximum xs

entry late (n: i64) (steps: i64) : i64 =
  let (xs, _) =
    loop (xs, ys) = (iota n, iota n)
    for i < steps do
      let ys = map (+ i) ys
      let s = i64.sum ys
      in if (xs[i] + s) % 2 == 0 then (map (+ 1) ys, ys) else (xs, ys)
  in i64.maximum xs
