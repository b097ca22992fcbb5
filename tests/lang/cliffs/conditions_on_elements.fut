-- A step of a loop that asks for an element and for something that the host knows, in any order: the host waits for the device only
-- where the rest of the condition leaves the element open.

-- ==
-- entry: sieve sieve_by_size
-- input { 40i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64, 31i64, 37i64] } structure run { launches 3 waits 1 sent 0 received 8 }
-- input { 2i64 } output { empty([0]i64) }
-- input { 0i64 } output { empty([0]i64) }
entry sieve (n: i64) : []i64 =
  let flags =
    loop f = map (>= 2) (iota n) for p in 2..<i64.max 2 n do
      if f[p] && p * p < n
      then scatter f
                   (map (\k -> (k + p) * p) (iota (n / p)))
                   (replicate (n / p) false)
      else f
  in filter (\i -> flags[i]) (iota n)

entry sieve_by_size (n: i64) : []i64 =
  let flags =
    loop f = map (>= 2) (iota n) for p in 2..<i64.max 2 n do
      if p * p < n && f[p]
      then scatter f
                   (map (\k -> (k + p) * p) (iota (n / p)))
                   (replicate (n / p) false)
      else f
  in filter (\i -> flags[i]) (iota n)

-- ==
-- entry: sieve_by_numbers
-- input { 40i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64, 31i64, 37i64] } structure run { launches 3 waits 1 sent 0 received 8 }
-- input { 2i64 } output { empty([0]i64) }
-- input { 0i64 } output { empty([0]i64) }
entry sieve_by_numbers (n: i64) : []i64 =
  let smallest =
    loop s = map (\i -> if i >= 2 then i else 0) (iota n)
    for p in 2..<i64.max 2 n do
      if !(s[p] != p || p * p >= n)
      then scatter s
                   (map (\k -> (k + p) * p) (iota (n / p)))
                   (replicate (n / p) 0)
      else s
  in filter (\i -> smallest[i] == i && i > 0) (iota n)
