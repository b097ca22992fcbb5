-- A row that is one number over and over, of which only elements are asked for, takes no memory.
-- ==
-- entry: sums
-- input { 3i64 4i64 } output { [0, 4, 8] }
-- input { 3i64 3000i64 } output { [0, 3000, 6000] } structure run { launches 1 }
-- input { 0i64 3000i64 } output { empty([0]i32) }
-- input { 2i64 0i64 } output { [0, 0] }
entry sums (n: i64) (m: i64) : [n]i32 =
  tabulate n (\i -> i32.sum (replicate m (i32.i64 i)))

-- One that is updated, or yielded, is made.
-- ==
-- entry: made
-- input { 3i64 300i64 } output { 2691i64 }
entry made (n: i64) (m: i64) : i64 =
  let rows = tabulate n (\i ->
    let copies = replicate m i
    in (copy copies, i64.sum (copies with [m / 2] = 0)))
  let (xss, sums) = unzip rows
  in i64.sum (flatten xss) + i64.sum sums + n * 300 - 3 * (n - 1)

-- A loop that runs as often as an element says is done by one thread, if an iteration is not much.
-- ==
-- entry: varying
-- input { [3i64, 0i64, 40i64] 70i64 } output { [6i64, 0i64, 80i64] } structure run { launches 1 }
entry varying [b] (times: [b]i64) (m: i64) : [b]i64 =
  map (\t ->
    loop s = 0 for k < t do
      s + i64.maximum (map (\j -> (j + k) % 3) (iota m))) times
