-- A step of a radix sort that counts digits in small arrays does what one with tuples does: a scan, the totals, a copy and a scatter.

def tuples [n] 't (digit: t -> i64) (xs: [n]t) : [n]t =
  let flags =
    map (\x ->
      let d = digit x
      in if d == 0
         then (1i64, 0i64, 0i64, 0i64)
         else if d == 1
         then (0, 1, 0, 0)
         else if d == 2
         then (0, 0, 1, 0)
         else (0, 0, 0, 1)) xs
  let sums =
    scan (\(a, b, c, d) (e, f, g, h) -> (a + e, b + f, c + g, d + h))
         (0, 0, 0, 0)
         flags
  let (na, nb, nc, _) = if n > 0 then last sums else (0, 0, 0, 0)
  let place x (a, b, c, d) =
    match digit x
    case 0 -> a - 1
    case 1 -> na + b - 1
    case 2 -> na + nb + c - 1
    case _ -> na + nb + nc + d - 1
  in scatter (copy xs) (map2 place xs sums) xs

def arrays [n] 't (digit: t -> i64) (xs: [n]t) : [n]t =
  let flags = map (\x -> map (\d -> i64.bool (d == digit x)) [0, 1, 2, 3]) xs
  let sums = scan (map2 (+)) (replicate 4 0) flags
  let total = if n > 0 then copy (last sums) else replicate 4 0
  let starts =
    [0, total[0], total[0] + total[1], total[0] + total[1] + total[2]]
  let place x sum = starts[digit x] + sum[digit x] - 1
  in scatter (copy xs) (map2 place xs sums) xs

-- ==
-- entry: by_tuples
-- input { [9u32, 3u32, 14u32, 0u32, 7u32, 3u32] } output { [0u32, 3u32, 3u32, 7u32, 9u32, 14u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
entry by_tuples [n] (xs: [n]u32) : [n]u32 =
  loop xs for b < 2u32 do tuples (\x -> i64.u32 ((x >> (2 * b)) & 3)) xs

-- ==
-- entry: by_arrays
-- input { [9u32, 3u32, 14u32, 0u32, 7u32, 3u32] } output { [0u32, 3u32, 3u32, 7u32, 9u32, 14u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
entry by_arrays [n] (xs: [n]u32) : [n]u32 =
  loop xs for b < 2u32 do arrays (\x -> i64.u32 ((x >> (2 * b)) & 3)) xs

-- Of totals that are there: nothing is assembled.
-- ==
-- entry: one_step
-- input { [1u8, 3u8, 2u8, 0u8, 3u8, 1u8] } output { [0u8, 1u8, 1u8, 2u8, 3u8, 3u8] } structure run { launches 3 waits 1 sent 0 received 0 }
entry one_step [n] (xs: [n]u8) : [n]u8 =
  let flags = map (\x ->
    [ i64.bool (x == 0)
    , i64.bool (x == 1)
    , i64.bool (x == 2)
    , i64.bool (x == 3)
    ]) xs
  let sums = scan (map2 (+)) (replicate 4 0) flags
  let total = last sums
  let starts =
    [0, total[0], total[0] + total[1], total[0] + total[1] + total[2]]
  in scatter (copy xs)
             (map2 (\x sum -> starts[i64.u8 (x & 3)] + sum[i64.u8 (x & 3)] - 1)
                   xs
                   sums)
             xs
