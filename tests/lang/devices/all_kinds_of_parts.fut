-- Each kind of task with enough rows for parts of several sizes: what parts make lies in the arrays of all parts, and what
-- they keep, add up and count is put together again.
-- ==
-- entry: maps
-- input { 1i64 }
-- output { 0i64 0i64 }
-- input { 7i64 }
-- output { 30321i64 52i64 }
-- input { 20_000i64 }
-- output { 211671774i64 279633i64 }

-- ==
-- entry: rows
-- input { 1i64 }
-- output { 40i64 10i64 }
-- input { 7i64 }
-- output { 104513i64 50815i64 }
-- input { 20_000i64 }
-- output { 354313757i64 354186080i64 }

-- ==
-- entry: kept
-- input { 1i64 }
-- output { 0i64 0i64 0i64 0i64 }
-- input { 7i64 }
-- output { 6i64 7266i64 3912i64 1890i64 }
-- input { 20_000i64 }
-- output { 6660i64 23485074i64 53183290i64 17372863i64 }

-- ==
-- entry: scanned
-- input { 1i64 }
-- output { 0i64 0i64 0i32 0i32 }
-- input { 7i64 }
-- output { 63742i64 23112i64 2841i32 0i32 }
-- input { 20_000i64 }
-- output { 705610268641i64 141074981i64 10080779i32 0i32 }

-- ==
-- entry: counted
-- input { 1i64 }
-- output { 1i64 }
-- input { 7i64 }
-- output { 28i64 }
-- input { 20_000i64 }
-- output { 109909i64 }

-- ==
-- entry: sorted
-- input { 1i64 }
-- output { 0i64 }
-- input { 7i64 }
-- output { 15462i64 }
-- input { 20_000i64 }
-- output { 70558422i64 }

-- ==
-- entry: steps
-- input { 1i64 }
-- output { 0i64 }
-- input { 7i64 }
-- output { 17554i64 }
-- input { 20_000i64 }
-- output { 70533391i64 }

def numbers (n: i64) : [n]i32 = map (\i -> i32.i64 ((i * 7919) % 1009)) (iota n)

def check [n] (xs: [n]i32) : i64 =
  i64.sum (map2 (\x i -> i64.i32 x * (i % 13 + 1)) xs (iota n))

entry maps (n: i64) =
  let xs = numbers n
  let (ys, zs) = unzip (map (\x -> (x * 3, x % 5)) xs)
  in (check ys, check zs)

entry rows (n: i64) =
  let xss = map (\x -> map (\j -> x + i32.i64 j) (iota 5)) (numbers n)
  in (check (flatten xss), check (map i32.sum xss))

entry kept (n: i64) =
  let xs = filter (\x -> x % 3 == 1) (numbers n)
  let (ys, zs) = partition (> 500) (numbers n)
  in (length xs, check xs, check ys, check zs)

entry scanned (n: i64) =
  let xs = numbers n
  in ( check (scan (+) 0 xs)
     , check (scan i32.max i32.lowest xs)
     , i32.sum xs
     , reduce i32.min i32.highest xs
     )

entry counted (n: i64) =
  let xs = numbers n
  in check (hist (+) 0 10 (map (\x -> i64.i32 x % 10) xs) (map (const 1) xs))

entry sorted (n: i64) = check (sort (numbers n))

-- | A stencil, whose parts need what is beside them.
entry steps (n: i64) =
  check (loop xs = numbers n
         for _i < 5 do
           tabulate n (\i ->
             (xs[i64.max 0 (i - 1)] + xs[i] + xs[i64.min (n - 1) (i + 1)])
             % 1009))
