-- | Operations on segments; the expected values were computed in Python.
import "/norn/segmented"

-- ==
-- entry: with_flags
-- input { empty([0]bool) empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) empty([0]bool) empty([0]i64) empty([0][?]i64) }
-- input { [true] [9i64] }
-- output { [9i64] [0i64] [9i64] [1i64] [true] [0i64] [[9i64]] }
-- input { [true, true] [5i64, 3i64] }
-- output { [5i64, 3i64] [0i64, 0i64] [5i64, 3i64] [1i64, 1i64] [true, true] [0i64, 0i64] [[5i64], [3i64]] }
-- input { [false, false, false, false, false, true, true, false, false, false, false, false, true] [2i64, 1i64, 7i64, 2i64, 6i64, 8i64, 4i64, 1i64, 0i64, 2i64, 4i64, 4i64, 3i64] }
-- output { [2i64, 3i64, 10i64, 12i64, 18i64, 8i64, 4i64, 5i64, 5i64, 7i64, 11i64, 15i64, 3i64] [0i64, 2i64, 3i64, 10i64, 12i64, 0i64, 0i64, 4i64, 5i64, 5i64, 7i64, 11i64, 0i64] [18i64, 8i64, 15i64, 3i64] [5i64, 1i64, 6i64, 1i64] [true, false, false, false, false, true, true, false, false, false, false, false, true] [0i64, 1i64, 2i64, 3i64, 4i64, 0i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 0i64] [[2i64, 1i64, 7i64, 2i64, 6i64], [8i64], [4i64, 1i64, 0i64, 2i64, 4i64, 4i64], [3i64]] }
entry with_flags [n]
                 (flags: [n]bool)
                 (xs: [n]i64)
    : ([n]i64, [n]i64, []i64, []i64, []bool, [n]i64, [][?]i64) =
  let lengths = lengths_of_flags flags
  in ( segmented_scan (+) 0 flags xs
     , segmented_exscan (+) 0 flags xs
     , segmented_reduce (+) 0 flags xs
     , lengths
     , flags_of_lengths lengths
     , segmented_iota flags
     , rows_of_flags flags xs
     )

-- ==
-- entry: rows_sorted
-- input { [[3, 1, 2], [], [9], [5, 5, 4, 0]] } output { [[1, 2, 3], empty([0]i32), [9], [0, 4, 5, 5]] }
-- input { empty([0][?]i32) } output { empty([0][?]i32) }
entry rows_sorted [n] (xss: [n][?]i32) : [n][?]i32 = segmented_sort (<=) xss

-- ==
-- entry: expanded
-- input { [2i64, 0i64, 3i64] } output { [0i64, 0i64, 2i64, 2i64, 2i64] [20i64, 21i64, 30i64, 31i64, 32i64] [41i64, 93i64] [41i64, 0i64, 93i64] [true, false, true, false, false] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) empty([0]bool) }
entry expanded [n] (counts: [n]i64) : ([]i64, []i64, []i64, [n]i64, []bool) =
  let get (x: i64) (i: i64) : i64 = 10 * x + i
  in ( replicated_iota counts
     , expand id get counts
     , expand_reduce id get (+) 0 counts
     , expand_outer_reduce id get (+) 0 counts
     , flags_of_lengths counts
     )
