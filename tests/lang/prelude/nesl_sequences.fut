-- NESL's sequence operations.

module ints = nesl.over i32

-- ==
-- entry: basic
-- input { [7, 8, 9] } output { [5, 5] 8 [7, 0, 9] 3i64 }
entry basic [n] (xs: [n]i32) : ([2]i32, i32, *[n]i32, i64) =
  (nesl.dist 5 2, nesl.elt xs 1, nesl.replace xs 0 1, nesl.count xs)

-- ==
-- entry: iseq
-- input { 2i64 3i64 10i64 } output { [2i64, 5i64, 8i64] }
-- input { 2i64 3i64 11i64 } output { [2i64, 5i64, 8i64] }
-- input { 2i64 3i64 12i64 } output { [2i64, 5i64, 8i64, 11i64] }
-- input { 5i64 -2i64 0i64 } output { [5i64, 3i64, 1i64] }
-- input { 5i64 1i64 5i64 } output { empty([0]i64) }
-- input { 5i64 1i64 0i64 } output { empty([0]i64) }
entry iseq (start: i64) (inc: i64) (end: i64) : *[]i64 = nesl.iseq start inc end

-- Scans leave out the element at their own place.
-- ==
-- entry: scans
-- input { [3, 1, 2] } output { [0, 3, 4] [2147483647, 3, 1] [-2147483648, 3, 3] }
entry scans [n] (xs: [n]i32) : (*[n]i32, *[n]i32, *[n]i32) =
  (ints.plus_scan xs, ints.min_scan xs, ints.max_scan xs)

-- ==
-- entry: boolean_scans
-- input { [true, false, true] } output { [false, true, true] [true, true, false] true false }
entry boolean_scans [n] (xs: [n]bool) : (*[n]bool, *[n]bool, bool, bool) =
  (nesl.or_scan xs, nesl.and_scan xs, nesl.any xs, nesl.all xs)

-- ==
-- entry: reductions
-- input { [3, 1, 4, 1, 4] } output { 13 1 4 1i64 2i64 }
-- input { empty([0]i32) } output { 0 2147483647 -2147483648 -1i64 -1i64 }
entry reductions [n] (xs: [n]i32) : (i32, i32, i32, i64, i64) =
  ( ints.sum xs
  , ints.min_val xs
  , ints.max_val xs
  , ints.min_index xs
  , ints.max_index xs
  )

-- ==
-- entry: reordering
-- input { [7, 8, 9] [2i64, 0i64, 1i64] } output { [9, 7, 8] [8, 9, 7] [9, 7, 8] }
entry reordering [n] (xs: [n]i32) (is: [n]i64) : (*[n]i32, *[n]i32, *[n]i32) =
  (nesl.read xs is, nesl.permute xs is, nesl.rotate xs 1)

-- ==
-- entry: writing
-- input { [7, 8, 9] [2i64, 5i64] [1, 2] } output { [7, 8, 1] [7, 8, 9] }
entry writing [n] [k]
              (xs: [n]i32)
              (is: [k]i64)
              (vs: [k]i32) : ([n]i32, [n]i32) =
  (nesl.write xs (zip is vs), xs)

-- ==
-- entry: packing
-- input { [7, 8, 9] [true, false, true] } output { [7, 9] [8] [7, 9] [8, 9] }
entry packing [n]
              (xs: [n]i32)
              (flags: [n]bool) : (*[]i32, []i32, []i32, []i32) =
  let (without, with_flag) = nesl.split xs flags
  in (nesl.pack (zip xs flags), without, with_flag, nesl.subseq xs 1 3)

-- ==
-- entry: interleaved
-- input { [1, 3, 5] [2, 4] } output { [1, 2, 3, 4, 5] }
-- input { [1, 3] [2, 4] } output { [1, 2, 3, 4] }
-- input { [1] [2, 4, 6] } output { [1, 2] }
-- input { [1, 3, 5] [2] } output { [1, 2, 3] }
-- input { empty([0]i32) [2] } output { empty([0]i32) }
entry interleaved [n] [m] (xs: [n]i32) (ys: [m]i32) : *[]i32 =
  nesl.interleave xs ys

-- ==
-- entry: lengths_between_flags
-- input { [true, false, false, true, true, false] } output { [3i64, 1i64, 2i64] }
-- input { [false, true, false] } output { [2i64] }
-- input { empty([0]bool) } output { empty([0]i64) }
entry lengths_between_flags [n] (flags: [n]bool) : *[]i64 =
  nesl.length_from_flags flags

-- ==
-- entry: nested
-- input { [1, 2, 3, 4, 5] [2i64, 0i64, 3i64] } output { [2i64, 0i64, 3i64] [1, 2, 3, 4, 5] [1, 2, 3] [4, 5] }
entry nested [n] [m]
             (xs: [m]i32)
             (counts: [n]i64) : ([n]i64, []i32, []i32, []i32) =
  let xss: [n][?]i32 = nesl.partition xs counts
  let (bottom, top) = nesl.bottop xs
  in (lengths xss, nesl.flatten xss, bottom, top)

-- ==
-- entry: sorted
-- input { [5, 3, 9, 3, 1, 7, 2] } output { [1, 2, 3, 3, 5, 7, 9] [4i64, 2i64, 6i64, 3i64, 0i64, 5i64, 1i64] }
-- input { [1] } output { [1] [0i64] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) }
entry sorted [n] (xs: [n]i32) : (*[n]i32, *[n]i64) =
  (ints.sort xs, ints.rank xs)

-- Equal elements keep their order.
-- ==
-- entry: sorted_stably
-- input { [2, 1, 2, 1, 2] } output { [1i64, 3i64, 0i64, 2i64, 4i64] [2i64, 0i64, 3i64, 1i64, 4i64] }
entry sorted_stably [n] (xs: [n]i32) : ([n]i64, [n]i64) =
  let leq (a: (i32, i64)) (b: (i32, i64)) : bool = a.0 <= b.0
  let tagged: [n](i32, i64) = zip xs (iota n)
  in (map (.1) (nesl.sort_by leq tagged), nesl.rank_by leq tagged)

-- ==
-- entry: collected
-- input { [2, 1, 2, 3, 1] [10i64, 20i64, 30i64, 40i64, 50i64] }
-- output { [1, 2, 3] [2i64, 2i64, 1i64] [20i64, 50i64, 10i64, 30i64, 40i64] }
-- input { empty([0]i32) empty([0]i64) } output { empty([0]i32) empty([0]i64) empty([0]i64) }
entry collected [n] (ks: [n]i32) (vs: [n]i64) : ([]i32, []i64, []i64) =
  let (keys, groups) = ints.collect (zip ks vs)
  in (keys, lengths groups, nesl.flatten groups)

-- ==
-- entry: collected_by
-- input { [2, 1, 2] } output { [2, 1] [2i64, 1i64] [10i64, 30i64, 20i64] }
entry collected_by [n] (ks: [n]i32) : ([]i32, []i64, []i64) =
  let (keys, groups) =
    nesl.collect_by (\a b -> a >= b)
                    (zip ks (map (\i -> 10 * (i + 1)) (iota n)))
  in (keys, lengths groups, nesl.flatten groups)
