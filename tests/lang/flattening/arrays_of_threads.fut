-- Threads that need memory of their own: what they allocate for one element serves for the next, so many elements need no more than
-- threads that run at once.
-- ==
-- entry: last_of_scans
-- input { 2000i64 10i64 } output { true }
-- compiled input { 20000i64 20i64 } output { true }
-- seldom input { 100000i64 300i64 } output { true }
entry last_of_scans (n: i64) (m: i64) : bool =
  let sums =
    tabulate n (\i ->
      #[sequential]
      let xs = scan (+) 0 (map (* i) (iota m))
      in loop s = 0 for k < 3 do s + xs[m - 1 - (i + k) % 3])
  let expected i =
    i64.sum (map (\k -> let l = m - (i + k) % 3 in i * (l * (l - 1) / 2))
                 (iota 3))
  in and (tabulate n (\i -> sums[i] == expected i))
