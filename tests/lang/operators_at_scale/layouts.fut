-- Threads that go through rows, or make them, one element after the other: the arrays are read and made in another layout then,
-- if there are enough rows and they are long enough.
-- ==
-- entry: recurrence
-- seldom input { 5000i64 40i64 } output { true }
-- compiled input { 4097i64 33i64 } output { true }
-- seldom input { 40i64 5000i64 } output { true }
-- input { 40i64 500i64 } output { true }
-- input { 5000i64 3i64 } output { true }
-- input { 1i64 100i64 } output { true }
-- input { 5000i64 0i64 } output { true }
-- input { 0i64 40i64 } output { true }
entry recurrence (n: i64) (m: i64) : bool =
  let element i j = i32.i64 ((i * 31 + j * 7) % 1009)
  let step s x = s * 3 + x
  let rows = tabulate_2d n m element
  let sums = map (\row -> loop s = 0 for j < m do step s row[j]) (opaque rows)
  let expected = tabulate n (\i -> loop s = 0 for j < m do step s (element i j))
  in and (map2 (==) sums expected)

-- Rows that are made by loops, scans and updates.
-- ==
-- entry: made
-- seldom input { 5000i64 40i64 } output { true }
-- compiled input { 4099i64 17i64 } output { true }
-- input { 5000i64 1i64 } output { true }
-- input { 1i64 100i64 } output { true }
-- input { 5000i64 0i64 } output { true }
-- input { 0i64 40i64 } output { true }
entry made (n: i64) (m: i64) : bool =
  let one (i: i64) : [m]i64 =
    loop row = replicate m i for j < m do
      row with [j] = if j == 0 then i else (row[j - 1] * 5 + j) % 1000
  let rows = opaque (map one (iota n))
  let last = map (\row -> if m == 0 then 0 else row[m - 1]) rows
  let expected =
    map (\i ->
      loop x = 0 for j < m do if j == 0 then i else (x * 5 + j) % 1000) (iota n)
  let sums = map i64.sum rows
  let sums_expected =
    map (\i ->
      (loop (x, s) = (0, 0) for j < m do
         let y = if j == 0 then i else (x * 5 + j) % 1000
         in (y, s + y)).1) (iota n)
  in and (map2 (==) last expected) && and (map2 (==) sums sums_expected)

-- Elements of all sizes.
-- ==
-- entry: sizes
-- compiled input { 4100i64 33i64 } output { true }
-- input { 100i64 130i64 } output { true }
entry sizes (n: i64) (m: i64) : bool =
  let walk 'a (element: i64 -> a) (number: a -> i64) : bool =
    let rows = opaque (tabulate_2d n m (\i j -> element (i * 3 + j)))
    let sums =
      map (\row -> loop s = 0 for j < m do (s * 3 + number row[j]) % 10007) rows
    let made =
      opaque (map (\row ->
        loop other = replicate m (element 0) for j < m do
          other with [j] = row[m - 1 - j]) rows)
    let back =
      map (\row ->
        loop s = 0 for j < m do (s * 3 + number row[m - 1 - j]) % 10007) made
    in and (map2 (==) sums back)
  in walk i8.i64 i64.i8
     && walk i16.i64 i64.i16
     && walk i32.i64 i64.i32
     && walk id id
     && walk (\i -> i % 3 == 0) i64.bool
     && walk f64.i64 i64.f64
     && walk (\i -> f16.i64 (i % 100)) i64.f16

-- Transposed arrays, which need no copy, and copies of them.
-- ==
-- entry: transposed
-- compiled input { 5000i64 40i64 } output { true }
-- compiled input { 40i64 5000i64 } output { true }
-- input { 1i64 7i64 } output { true }
-- input { 0i64 7i64 } output { true }
-- input { 4097i64 5i64 } output { true }
-- input { 3i64 2000i64 } output { true }
entry transposed (n: i64) (m: i64) : bool =
  let rows = opaque (tabulate_2d n m (\i j -> i * 7 + j * 5))
  let columns = copy (transpose rows)
  let walk [k] (row: [k]i64) = loop s = 0 for j < k do (s * 3 + row[j]) % 10007
  in and (map2 (==) (map walk (transpose rows)) (map walk columns))
     && and (flatten (map2 (map2 (==))
                           (opaque (copy (transpose columns)))
                           rows))

-- Three dimensions: threads of two and rows of one, and the reverse.
-- ==
-- entry: three
-- compiled input { 70i64 60i64 5i64 } output { true }
-- input { 7i64 8i64 20i64 } output { true }
-- compiled input { 4100i64 2i64 3i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 3i64 0i64 4i64 } output { true }
entry three (n: i64) (m: i64) (k: i64) : bool =
  let element i j l = (i * 7 + j * 5 + l) % 1009
  let rows = opaque (tabulate_3d n m k element)
  let by_two =
    map (map (\row -> loop s = 0 for l < k do (s * 3 + row[l]) % 10007)) rows
  let expected =
    tabulate_2d n m (\i j ->
      loop s = 0 for l < k do (s * 3 + element i j l) % 10007)
  let by_one =
    map (\matrix ->
      loop s = 0 for l < k do
        loop s for j < m do (s * 3 + matrix[j, l]) % 10007) rows
  let expected_by_one =
    tabulate n (\i ->
      loop s = 0 for l < k do
        loop s for j < m do (s * 3 + element i j l) % 10007)
  let turned = opaque (map transpose rows)
  let inside_out = opaque (transpose (map transpose rows))
  in and (flatten (map2 (map2 (==)) by_two expected))
     && and (map2 (==) by_one expected_by_one)
     && and (flatten_3d (map (map (map id))
                             (tabulate_3d n k m (\i l j ->
                               turned[i, l, j]
                               == element i j l))))
     && and (flatten_3d (tabulate_3d k n m (\l i j ->
       inside_out[l, i, j] == element i j l)))

-- Rows that are parts of others, and rows that are needed in one piece.
-- ==
-- entry: parts
-- compiled input { 4100i64 20i64 } output { true }
-- seldom input { 4100i64 36i64 } output { true }
-- input { 100i64 36i64 } output { true }
entry parts (n: i64) (m: i64) : bool =
  let rows = opaque (tabulate_2d n m (\i j -> i * 7 + j * 5))
  let half = m / 2
  let walk [k] (row: [k]i64) = loop s = 0 for j < k do (s * 3 + row[j]) % 10007
  let slices = map walk (rows[:, :half])
  let inside = map (\row -> walk row[:half]) rows
  let changed =
    map (\row ->
      let row = loop row = copy row for j < m do row with [j] = row[j] + 1
      in i64.sum row) rows
  let carried =
    map (\row ->
      let (row, _) = loop (a, b) = (row, row) for j < 3 do (b, map (+ j) a)
      in walk row) rows
  in and (map2 (==) slices inside)
     && and (map2 (==) changed (map (\row -> i64.sum row + m) rows))
     && and (map2 (==) carried (map (\row -> walk (map (+ 1) row)) rows))
