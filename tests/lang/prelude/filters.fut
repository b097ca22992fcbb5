-- filter and partition keep the order of the elements they keep.

-- ==
-- entry: filtered
-- input { [3, -1, 4, -1, -5, 9] } output { [3, 4, 9] }
-- input { [-1] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
entry filtered [n] (xs: [n]i32) : *[]i32 =
  filter (> 0) xs

-- ==
-- entry: in_two
-- input { [3, -1, 4, -1, -5, 9] } output { [3, 4, 9] [-1, -1, -5] }
-- input { [1, 2] } output { [1, 2] empty([0]i32) }
-- input { [-1, -2] } output { empty([0]i32) [-1, -2] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry in_two [n] (xs: [n]i32) : ?[k].([k]i32, [n - k]i32) =
  partition (> 0) xs

-- ==
-- entry: in_three
-- input { [5, 1, 9, 2, 7, 3, 8] } output { [1, 2, 3] [5, 7] [9, 8] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) }
entry in_three [n] (xs: [n]i32) : ?[k][l].([k]i32, [l]i32, [n - k - l]i32) =
  partition2 (< 4) (< 8) xs

-- The first predicate has precedence.
-- ==
-- entry: overlapping
-- input { [1, 2, 3, 4] } output { [2, 4] [1, 3] empty([0]i32) }
entry overlapping [n] (xs: [n]i32) : ?[k][l].([k]i32, [l]i32, [n - k - l]i32) =
  partition2 (\x -> x % 2 == 0) (> 0) xs

-- ==
-- entry: flatmapped
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] [4i64, 0i64, 9i64] }
entry flatmapped [n]
                 (xs: [n]i64) : ?[m].([n]i64, [m]bool, [n]i64, [m]i64, [n]i64) =
  flatmap (\x -> (iota x, x * x)) xs

-- ==
-- entry: flatmapped_only
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
entry flatmapped_only [n]
                      (xs: [n]i64) : ?[m].([n]i64, [m]bool, [n]i64, [m]i64) =
  flatmap' (\x -> iota x) xs
