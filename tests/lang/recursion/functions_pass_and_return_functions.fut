def times (n: i64) (f: i32 -> i32) (x: i32) : i32 =
  if n == 0 then x else times (n - 1) f (f x)

def compose (n: i64) (f: i32 -> i32) : i32 -> i32 =
  if n == 0 then \x -> x else \x -> f (compose (n - 1) f x)

-- ==
-- entry: both_ways
-- input { 3i64 5 } output { 47 47 }
-- input { 0i64 5 } output { 5 5 }
-- input { 1i64 5 } output { 11 11 }
entry both_ways (n: i64) (x: i32) : (i32, i32) =
  (times n (\y -> 2 * y + 1) x, compose n (\y -> 2 * y + 1) x)

-- ==
-- entry: in_parallel
-- input { [0i64, 1i64, 5i64] } output { [1, 3, 11] [1, 2, 32] }
-- input { empty([0]i64) } output { empty([0]i32) empty([0]i32) }
entry in_parallel [n] (ns: [n]i64) : ([n]i32, [n]i32) =
  unzip (map (\n -> (times n (+ 2) 1, compose n (* 2) 1)) ns)
