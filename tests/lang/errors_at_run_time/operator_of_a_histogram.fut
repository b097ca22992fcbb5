-- The operator of a histogram fails for some elements: the others do not wait for ever.
-- ==
-- entry: one_word
-- input { 1000i64 3i64 -1i64 } output { 0i32 }
-- input { 1000i64 30000i64 -1i64 } output { 0i32 }
-- input { 1000i64 3i64 500i64 } error: Division by zero
-- input { 1000i64 90000i64 5i64 } error: Division by zero
entry one_word (n: i64) (bins: i64) (bad: i64) : i32 =
  let op a b = if b == 77 then a / (b - 77) else (a + b) % 250
  let xs =
    hist op
         0
         bins
         (tabulate n (\i -> i * bins / n))
         (tabulate n (\i -> if i == bad then 77 else i32.i64 (i % 2)))
  in i32.sum (map (% 250) xs) % 250

-- ==
-- entry: locked
-- input { 1000i64 3i64 -1i64 } output { 500i64 999i64 }
-- input { 1000i64 3i64 500i64 } error: Division by zero
-- input { 1000i64 90000i64 5i64 } error: Division by zero
entry locked (n: i64) (bins: i64) (bad: i64) : (i64, i64) =
  let op (a: i64, c: i64) (b: i64, d: i64) =
    (if b == 77 then a / (b - 77) else a + b, i64.max c d)
  let (xs, ys) =
    unzip (hist op
                (0, 0)
                bins
                (tabulate n (\i -> i * bins / n))
                (tabulate n (\i -> (if i == bad then 77 else i % 2, i))))
  in (i64.sum xs, i64.maximum ys)

-- ==
-- entry: sorted
-- input { 1000i64 3000i64 -1i64 } output { 500f32 }
-- input { 1000i64 3i64 500i64 } error: Division by zero
-- input { 1000i64 9000i64 5i64 } error: Division by zero
entry sorted (n: i64) (bins: i64) (bad: i64) : f32 =
  let op (a: f32, c: i64) (b: f32, d: i64) =
    (a + b, if b == 77 then c / (i64.f32 b - 77) else c + d)
  let value i = (if i == bad then 77 else f32.i64 (i % 2), i)
  let (xs, _) =
    unzip (hist op
                (0, 0)
                bins
                (tabulate n (\i -> i * bins / n))
                (tabulate n value))
  in f32.sum xs
