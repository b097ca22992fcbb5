-- Products of matrices, all of whose elements an operator combines: more than threads share.
-- ==
-- entry: scans sums
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 5003i64 } output { true }
def mul (a: [4][4]i64) (b: [4][4]i64) : [4][4]i64 =
  tabulate_2d 4 4 (\i j ->
    i64.sum (tabulate 4 (\k -> a[i, k] * b[k, j])) % 1009)
def one : [4][4]i64 = tabulate_2d 4 4 (\i j -> i64.bool (i == j))
def make (i: i64) : [4][4]i64 =
  tabulate_2d 4 4 (\y x -> (i * 7 + y * 3 + x * x) % 11)

entry scans (n: i64) : bool =
  let ms = scan mul one (tabulate n make)
  in and (tabulate n (\i ->
    let e = if i == 0 then one else ms[i - 1]
    in and (flatten (map2 (map2 (==)) ms[i] (mul e (make i))))))
entry sums (n: i64) : bool =
  let m = reduce mul one (tabulate n make)
  let e = loop e = one for i < n do mul e (make i)
  in and (flatten (map2 (map2 (==)) m e))
