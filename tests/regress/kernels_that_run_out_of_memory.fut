-- Threads that allocate more than there is run again with more. What they had changed until then must not count twice: tiles that were taken, bins, prefixes.

def row (k: i64) (i: i64) : [k]i64 = replicate k i with [i % k] = 7

def pick (k: i64) (i: i64) : i64 = (row k i)[(i * 31) % k] % 1000

-- ==
-- entry: scanned
-- input { 4000i64 5000i64 } output { 21950821791i64 }
entry scanned (n: i64) (k: i64) : i64 =
  let sums = scan (+) 0 (map (pick k) (iota n))
  in i64.sum (map2 (\i sum -> (i % 13) * sum) (iota n) sums)

-- ==
-- entry: filtered
-- input { 4000i64 5000i64 } output { 2665332i64 }
entry filtered (n: i64) (k: i64) : i64 = i64.sum (filter (\i -> pick k i % 3 == 0) (iota n))

-- ==
-- entry: parted
-- input { 4000i64 5000i64 } output { 3984000i64 4014000i64 }
entry parted (n: i64) (k: i64) : (i64, i64) =
  let (a, b) = partition (\i -> pick k i % 2 == 0) (iota n)
  in (i64.sum a, i64.sum b)

-- ==
-- entry: counted
-- input { 4000i64 5000i64 } output { [496000i64, 499000i64, 500000i64, 501056i64] }
entry counted (n: i64) (k: i64) : []i64 =
  hist (+) 0 4 (map (\i -> pick k i % 4) (iota n)) (map (pick k) (iota n))

-- ==
-- entry: of_rows
-- input { 4000i64 5000i64 } output { 10936560i64 }
entry of_rows (n: i64) (k: i64) : i64 =
  let rows = map (\i -> scan (+) 0 (map (\j -> pick k (i * 10 + j)) (iota 10))) (iota (n / 10))
  in i64.sum (map i64.sum rows)

-- ==
-- entry: written
-- input { 4000i64 5000i64 } output { 6221990i64 }
entry written (n: i64) (k: i64) : i64 =
  i64.sum (scatter (iota n) (map (\i -> (pick k i * 7) % n) (iota n)) (replicate n 5))
