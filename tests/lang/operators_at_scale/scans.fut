-- Scans, filters and partitions over several tiles.
-- ==
-- entry: sums
-- input { 20000i64 } output { true }
-- input { 3840i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry sums (n: i64) : bool =
  let sums = scan (+) 0 (iota n)
  let floats = scan (+) 0 (map f64.i64 (iota n))
  in and (map3 (\i x y -> x == i * (i + 1) / 2 && y == f64.i64 x)
               (iota n)
               sums
               floats)

-- ==
-- entry: pairs
-- input { 10000i64 } output { true }
entry pairs (n: i64) : bool =
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let element i = (1 + i % 1000, i % 7)
  let (_, expected) =
    loop (before, all) = ((1, 0), replicate n (0, 0))
    for i < n do
      let next = after before (element i) in (next, all with [i] = next)
  in and (map2 (\x y -> x == y)
               expected
               (scan after (1, 0) (tabulate n element)))

-- ==
-- entry: chosen
-- input { 20000i64 } output { true }
-- input { 2304i64 } output { true }
-- input { 0i64 } output { true }
entry chosen (n: i64) : bool =
  let holds i = i * 7919 % 10 < 3
  let some = filter holds (iota n)
  let (yes, no) = partition holds (iota n)
  let rises (xs: []i64) =
    and (map (\i -> i == 0 || xs[i - 1] < xs[i]) (indices xs))
  in length some == length yes
     && length yes + length no == n
     && and (map holds some)
     && and (map holds yes)
     && !(or (map holds no))
     && rises some
     && rises yes
     && rises no
