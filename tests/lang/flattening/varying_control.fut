-- Branches, loops and recursion that differ from element to element, with parallelism inside.

-- Each branch runs for its own elements only.
-- ==
-- entry: branches
-- input { 500i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry branches (n: i64) : bool =
  let one i =
    if i % 3 == 0
    then i64.sum (iota (i % 50))
    else if i % 3 == 1
    then reduce i64.max 0 (map (\j -> j * i % 17) (iota 40))
    else -i
  let alone i =
    if i % 3 == 0
    then (i % 50) * (i % 50 - 1) / 2
    else if i % 3 == 1
    then (loop m = 0 for j < 40 do i64.max m (j * i % 17))
    else -i
  in and (map2 (==) (map one (iota n)) (map alone (iota n)))

-- Some elements are done long before others.
-- ==
-- entry: loops
-- input { 300i64 } output { true }
-- input { 2i64 } output { true }
-- input { 0i64 } output { true }
entry loops (n: i64) : bool =
  let one i =
    (loop (x, s) = (i, 0) while x > 0 do
       (x / 2, s + i64.sum (map (* x) (iota 20)))).1
  let alone i = (loop (x, s) = (i, 0) while x > 0 do (x / 2, s + 190 * x)).1
  in and (map2 (==) (map one (iota n)) (map alone (iota n)))

-- ==
-- entry: counted
-- input { 300i64 } output { true }
-- input { 0i64 } output { true }
entry counted (n: i64) : bool =
  let one i = loop s = 0 for j < i % 23 do s + i64.sum (map (+ j) (iota 18))
  let alone i = let k = i % 23 in k * 153 + 18 * (k * (k - 1) / 2)
  in and (map2 (==) (map one (iota n)) (map alone (iota n)))

def sorted (xs: []i64) : []i64 =
  if length xs <= 1
  then xs
  else let pivot = xs[length xs / 2]
       let less = filter (< pivot) xs
       let equal = filter (== pivot) xs
       let greater = filter (> pivot) xs
       let parts = map sorted [less, greater]
       in parts[0] ++ equal ++ parts[1]

-- All calls of one depth are one.
-- ==
-- entry: recursion
-- input { 3000i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry recursion (n: i64) : bool =
  let xs = sorted (map (\i -> (i * 7919 + 13) % 1000) (iota n))
  in length xs == n && and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota n))

-- ==
-- entry: recursion_in_rows
-- input { 40i64 } output { true }
-- input { 0i64 } output { true }
entry recursion_in_rows (n: i64) : bool =
  let rows =
    map (\k -> tabulate ((k * 37) % 91) (\i -> (i * 31 + k) % 50)) (iota n)
  let ordered (xs: []i64) =
    and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (indices xs))
  let all = map sorted rows
  in and (map ordered all)
     && and (map2 (==) (map i64.sum all) (map i64.sum rows))
