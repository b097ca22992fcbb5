-- Updates of elements and slices in the rows of maps, with nothing else to do in parallel: rows are copied by all threads.
-- ==
-- entry: elements slices_of_rows rows_of_rows replicated slow_values in_branch read_afterwards
-- input { 0i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 3001i64 } output { true }
-- input { 70i64 257i64 } output { true }

def agrees [m] (n: i64) (all: [n][m]i64) (f: i64 -> [m]i64) : bool =
  loop ok = true for i < n do ok && and (map2 (==) all[i] (f i))

def table (n: i64) (m: i64) : [n][m]i64 = tabulate_2d n m (\i j -> i * 1000 + j)

entry elements (n: i64) (m: i64) : bool =
  let rows = table n m
  let all =
    map2 (\row i -> copy row with [i % m] = -1 with [(i + 1) % m] = row[0])
         rows
         (iota n)
  in agrees n all (\i ->
    tabulate m (\j ->
      if j == (i + 1) % m
      then rows[i, 0]
      else if j == i % m
      then -1
      else rows[i, j]))

entry slices_of_rows (n: i64) (m: i64) : bool =
  let rows = table n m
  let h = m / 2
  let all = map (\row ->
    copy row
      with [0:h] = row[m - h:m]
      with [h:m] = replicate (m - h) row[m - 1]) rows
  in agrees n all (\i ->
    tabulate m (\j -> if j < h then rows[i, m - h + j] else rows[i, m - 1]))

entry rows_of_rows (n: i64) (m: i64) : bool =
  let blocks = tabulate_3d n 3 m (\i j k -> i * 1000 + j * 100000 + k)
  let all =
    map (\block -> copy block with [1] = block[0] with [2, 0:m] = block[1])
        blocks
  in agrees n (map flatten all) (\i ->
    flatten [blocks[i, 0], blocks[i, 0], blocks[i, 1]])

entry replicated (n: i64) (m: i64) : bool =
  let all = map (\i -> replicate m i with [i % m] = 7) (iota n)
  in agrees n all (\i -> tabulate m (\j -> if j == i % m then 7 else i))

entry slow_values (n: i64) (m: i64) : bool =
  let slow (i: i64) = loop x = i for k < 50 do (x * x + k) % 10007
  let rows = table n m
  let all =
    map2 (\row i -> let v = slow i in copy row with [v % m] = v) rows (iota n)
  in agrees n all (\i ->
    let v = slow i in tabulate m (\j -> if j == v % m then v else rows[i, j]))

entry in_branch (n: i64) (m: i64) : bool =
  let rows = table n m
  let all =
    map2 (\row i -> if i % 2 == 0 then copy row with [0] = i else replicate m i)
         rows
         (iota n)
  in agrees n all (\i ->
    tabulate m (\j -> if i % 2 == 1 || j == 0 then i else rows[i, j]))

-- What is updated is read by the thread afterwards, and yielded, too.
entry read_afterwards (n: i64) (m: i64) : bool =
  let rows = table n m
  let (all, sums) =
    unzip (map2 (\row i ->
      let d = copy row with [i % m] = 5
      let s = loop s = 0 for j < m do (s * 3 + d[j]) % 10007
      in (d with [0] = 6, s)) rows (iota n))
  let expected i =
    let d = tabulate m (\j -> if j == i % m then 5 else rows[i, j])
    in loop s = 0 for j < m do (s * 3 + d[j]) % 10007
  in agrees n all (\i ->
    tabulate m (\j ->
      if j == 0 then 6 else if j == i % m then 5 else rows[i, j]))
     && (loop ok = true for i < n do ok && sums[i] == expected i)
