-- reduce, scan, fold and what is built on them.

-- ==
-- entry: reduced
-- input { [1, 2, 3, 4] } output { 10 24 }
-- input { empty([0]i32) } output { 0 1 }
entry reduced [n] (xs: [n]i32) : (i32, i32) =
  (reduce (+) 0 xs, reduce_comm (*) 1 xs)

-- The operator is associative but not commutative: the order must be kept.
-- ==
-- entry: order_is_kept
-- input { [5, 7, 9, 11] } output { 5 11 }
entry order_is_kept [n] (xs: [n]i32) : (i32, i32) =
  let leftmost (a: (bool, i32)) (b: (bool, i32)) : (bool, i32) =
    if a.0 then a else b
  let rightmost (a: (bool, i32)) (b: (bool, i32)) : (bool, i32) =
    if b.0 then b else a
  let marked: [n](bool, i32) = map (\x -> (true, x)) xs
  in ( (reduce leftmost (false, 0) marked).1
     , (reduce rightmost (false, 0) marked).1
     )

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] } output { [9, 12] }
entry rows [n] [m] (xss: [n][m]i32) : [m]i32 =
  reduce (map2 (+)) (replicate m 0) xss

-- ==
-- entry: scans
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] [0, 1, 3, 6] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { [5] } output { [5] [0] }
entry scans [n] (xs: [n]i32) : (*[n]i32, *[n]i32) =
  (scan (+) 0 xs, exscan (+) 0 xs)

-- ==
-- entry: quantifiers
-- input { [2, 4, 6] } output { true true false true }
-- input { [1, 4] } output { false true false true }
-- input { [1, 3] } output { false false false false }
-- input { empty([0]i32) } output { true false true false }
entry quantifiers [n] (xs: [n]i32) : (bool, bool, bool, bool) =
  let even (x: i32) : bool = x % 2 == 0
  in (all even xs, any even xs, and (map (> 9) xs), or (map even xs))

-- Folds are sequential, and their operator need not be associative.
-- ==
-- entry: folds
-- input { [1, 2, 3] } output { -6 2 }
-- input { empty([0]i32) } output { 0 0 }
entry folds [n] (xs: [n]i32) : (i32, i32) =
  (foldl (-) 0 xs, foldr (-) 0 xs)

-- ==
-- entry: fold_changes_type
-- input { [10i64, 20i64] } output { 30 }
entry fold_changes_type [n] (xs: [n]i64) : i32 =
  foldl (\(acc: i32) (x: i64) -> acc + i32.i64 x) 0 xs
