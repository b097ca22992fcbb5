-- Reductions of rows: few long ones, many short ones, and rows of all lengths.
-- ==
-- entry: even
-- input { 3i64 5000i64 } output { true }
-- input { 5000i64 3i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 4i64 0i64 } output { true }
-- input { 0i64 4i64 } output { true }
-- input { 700i64 257i64 } output { true }
entry even (n: i64) (m: i64) : bool =
  let sums = map i64.sum (tabulate_2d n m (\i j -> i + j))
  in and (map2 (==) sums (tabulate n (\i -> i * m + m * (m - 1) / 2)))

-- ==
-- entry: uneven
-- input { 1000i64 1i64 } output { true }
-- input { 1000i64 400i64 } output { true }
-- input { 1i64 3000i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 50i64 0i64 } output { true }
entry uneven (n: i64) (longest: i64) : bool =
  let lengths = tabulate n (\i -> (i * i * 31) % (longest + 1))
  let total = i64.sum lengths
  let all = iota total
  let sums = map i64.sum (segment lengths all)
  let ends = scan (+) 0 lengths
  let expected (end: i64) (length: i64) =
    let start = end - length in (start + end - 1) * length / 2
  in and (map2 (==) sums (map2 expected ends lengths))

-- An operator that does not commute: the order of elements is kept.
-- ==
-- entry: in_order
-- input { 7i64 3000i64 } output { true }
-- input { 3000i64 7i64 } output { true }
entry in_order (n: i64) (m: i64) : bool =
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let element i j = (1 + (i * 3 + j) % 1000, j % 7)
  let one i =
    loop (a, b) = (1, 0) for j < m do after (a, b) (element i j)
  let all = map (\i -> reduce after (1, 0) (tabulate m (element i))) (iota n)
  in and (map2 (\x y -> x == y) all (map one (iota n)))

-- Only one of the columns that are reduced is wanted.
-- ==
-- entry: farthest
-- input { 300i64 70i64 } output { true }
-- input { 3i64 5000i64 } output { true }
-- input { 0i64 4i64 } output { true }
entry farthest (n: i64) (longest: i64) : bool =
  let rows =
    map (\i ->
      tabulate (1 + (i * i * 31) % longest) (\j ->
        (j * 7919 + i) % 10007)) (iota n)
  let best (row: []i64) =
    reduce (\(a, i) (b, j) ->
              if b > a || (b == a && j < i) then (b, j) else (a, i))
           (-1, -1)
           (zip row (indices row))
  let places = map (\row -> (best row).1) rows
  let right (row: []i64) (at: i64) = and (map (\x -> x <= row[at]) row)
  in and (map2 right rows places)
