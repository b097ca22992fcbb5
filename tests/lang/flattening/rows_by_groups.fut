-- Rows of which several operators make something: neither so many that a thread for each is enough, nor so long that each
-- operator needs a device for itself.
-- ==
-- entry: several
-- input { 5i64 100i64 } output { true }
-- input { 300i64 1000i64 } output { true }
-- input { 3i64 1024i64 } output { true }
-- input { 3i64 1025i64 } output { true }
-- input { 7i64 64i64 } output { true }
-- input { 7i64 3i64 } output { true }
-- input { 0i64 300i64 } output { true }
-- input { 3i64 0i64 } output { true }
entry several (n: i64) (m: i64) : bool =
  let rows = tabulate_2d n m (\i j -> (i * 7 + j * j) % 13)
  let make row =
    let s = i64.sum row
    let up = scan (+) 0 row
    let half = map (\x -> x * 2 - s) up
    let most = i64.maximum half
    in (map2 (\x y -> x + y * most) half row, s, most)
  let (xss, sums, most) = unzip3 (map make rows)
  let alone i =
    let at j = (i * 7 + j * j) % 13
    let s = loop s = 0 for j < m do s + at j
    let (up, most) =
      loop (up, most) = (0, i64.lowest) for j < m do
        let up = up + at j in (up, i64.max most (up * 2 - s))
    in (s, up, most)
  let right i =
    let (s, up, most') = alone i
    let last = m - 1
    in sums[i] == s
       && most[i] == most'
       && (m == 0
           || xss[i, last] == up * 2 - s + ((i * 7 + last * last) % 13) * most')
  in and (map right (iota n))

-- The order of elements matters; a row that is made is used, and yielded as well.
-- ==
-- entry: in_order
-- input { 4i64 700i64 } output { true }
-- input { 4i64 255i64 } output { true }
entry in_order (n: i64) (m: i64) : bool =
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let make i =
    let elements = map (\j -> (1 + (i * 3 + j) % 1000, j % 7)) (iota m)
    let all = reduce after (1, 0) elements
    let (firsts, seconds) = unzip (scan after (1, 0) elements)
    in (firsts, map2 (+) seconds firsts, all)
  let (firsts, sums, all) = unzip3 (map make (iota n))
  let right i =
    m == 0
    || firsts[i, m - 1] == all[i].0 && sums[i, m - 1] == all[i].0 + all[i].1
  let alone i =
    loop (a, b) = (1, 0) for j < m do
      after (a, b) (1 + (i * 3 + j) % 1000, j % 7)
  in and (map right (iota n))
     && and (map2 (\x y -> x.0 == y.0 && x.1 == y.1) all (map alone (iota n)))

-- Elements of a row that was made are looked up, and parts of it.
-- ==
-- entry: looked_up
-- input { 5i64 100i64 } output { true }
-- input { 3i64 1500i64 } output { true }
entry looked_up (n: i64) (m: i64) : bool =
  let make i =
    let squares = map (\j -> (j * j + i) % 97) (iota m)
    let turned = map (\j -> squares[m - 1 - j] + squares[j]) (iota m)
    let h = m / 2
    let halves = map2 (-) (turned[:h] :> [h]i64) (squares[m - h:] :> [h]i64)
    in (i64.sum turned, i64.sum halves)
  let alone i =
    let at j = (j * j + i) % 97
    let turned j = at (m - 1 - j) + at j
    in ( loop s = 0 for j < m do s + turned j
       , loop s = 0 for j < m / 2 do s + turned j - at (m - m / 2 + j)
       )
  in and (map2 (\a b -> a.0 == b.0 && a.1 == b.1)
               (map make (iota n))
               (map alone (iota n)))
