-- Sums and scans of floats, over more rows than a block has: however devices share them, the bits are the same.
-- ==
-- entry: sums
-- input { 0i64 }
-- output { 0f32 0f32 0f64 -f32.inf 0i64 }
-- input { 1i64 }
-- output { 1f32 1f32 1f64 1f32 0i64 }
-- input { 1024i64 }
-- output { 8.530897f32 0.028404603f32 2.644141529583684f64 1f32 1021i64 }
-- input { 5003i64 }
-- output { 37.092056f32 0.119717725f32 8.203735874102675f64 1f32 4993i64 }

-- ==
-- entry: scans
-- input { 1i64 }
-- output { [2f32] 1f32 [1f32] [0i64] }
-- input { 1024i64 }
-- input { 5003i64 }

-- ==
-- entry: last
-- input { 1025i64 }
-- output { 9.531892f32 -4.331789f32 }
-- input { 5003i64 }
-- output { 38.092056f32 -19.176004f32 }

def numbers (n: i64) : [n]f32 =
  map (\i -> 1 / f32.i64 (1 + i * 7919 % 1013)) (iota n)

-- | Of the numbers, of their products with others, of their squares in twice as many bits, the largest, and how many.
entry sums (n: i64) : (f32, f32, f64, f32, i64) =
  let xs = numbers n
  in ( f32.sum xs
     , f32.sum (map2 (*) xs (rotate 3 xs))
     , f64.sum (map (\x -> f64.f32 x * f64.f32 x) xs)
     , f32.maximum xs
     , i64.sum (map (\x -> i64.bool (x < 0.5)) xs)
     )

-- | Scans, one of which is needed by what is reduced, and one whose operator looks at two columns.
entry scans (n: i64) : ([n]f32, f32, [n]f32, [n]i64) =
  let xs = numbers n
  let ys = scan (+) 0 xs
  let zs = map2 (\x y -> x * 2 - y) xs ys
  let (largest, places) =
    unzip (scan (\(a, i) (b, j) -> if a < b then (b, j) else (a, i))
                (f32.lowest, -1)
                (zip xs (indices xs)))
  in (map2 (+) ys largest, f32.sum zs, zs, places)

entry last (n: i64) : (f32, f32) =
  let (ys, _, zs, _) = scans n
  in (ys[n - 1], zs[n / 2])
