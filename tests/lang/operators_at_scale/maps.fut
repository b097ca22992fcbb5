-- Maps over more elements than a device has threads, and over as many as there happen to be.
-- ==
-- entry: numbers
-- compiled input { 1200003i64 } output { true }
-- input { 100001i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
def f (x: i32) (y: i32) : i32 = if x < y then x * 3 + 1 else y - (x & 31)

entry numbers (n: i64) : bool =
  let xs =
    scatter (replicate n 0i32)
            (iota n)
            (map (\i -> i32.i64 (i % 1013)) (iota n))
  let ys = reverse xs
  let zs = map2 f xs ys
  let at i = f (i32.i64 (i % 1013)) (i32.i64 ((n - 1 - i) % 1013))
  in and (map2 (==) zs (tabulate n at))

-- In place.
-- ==
-- entry: in_place
-- input { 100001i64 } output { true }
entry in_place (n: i64) : bool =
  let xs = scatter (replicate n 0i64) (iota n) (iota n)
  let ys = map (\x -> x * 3 + 1) xs
  in and (map2 (==) ys (tabulate n (\i -> i * 3 + 1)))

-- Loops of different lengths, in two and in three dimensions.
-- ==
-- entry: steps
-- input { 1i64 70i64 65i64 } output { true }
-- input { 1i64 64i64 64i64 } output { true }
-- input { 3i64 50i64 131i64 } output { true }
-- input { 5i64 6i64 7i64 } output { true }
-- input { 2i64 0i64 100i64 } output { true }
-- input { 2i64 100i64 0i64 } output { true }
entry steps (n: i64) (m: i64) (k: i64) : bool =
  let count (x: i64) : i64 =
    (loop (i, x) = (0, x) while x > 0 do (i + 1, x / 2 - x % 3)).0
  let number i j l = (i * 31 + j * 7 + l * 13) % 1000
  let all =
    tabulate n (\i ->
      tabulate m (\j -> tabulate k (\l -> count (number i j l))))
  let one i j l =
    loop (c, x) = (0i64, number i j l) while x > 0 do (c + 1, x / 2 - x % 3)
  in and (tabulate n (\i ->
    and (tabulate m (\j ->
      and (tabulate k (\l ->
        all[i, j, l]
        == (one i j l).0))))))
