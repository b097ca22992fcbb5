-- # Fusion
--
-- An array that is only read once, by the next operation, need not exist. Removing it is called fusion. In a language of
-- operations on whole arrays fusion is important, because on a GPU every remaining operation is a kernel launch and a
-- pass over memory.
--
-- Section 9 of the paper on Nessie, Reppy and Wingerter's compiler from NESL to CUDA, has five rules by which
-- one operation is moved into another. Here is a program for each of them, and for what its section 8 says about
-- choosing.
--
-- The tests below count the operators of the compiled program: a `fused` has maps and filters in a reduction, or several
-- reductions in one. Each function becomes one kernel, but for the last two, which become two each.
-- `norn dev --fusion` shows how this was decided.

-- ==
-- structure nest { map 3 scatter 2 filter 1 fused 3 reduce 3 }
-- structure flat { grid 12 }

-- ## The five rules
--
-- *Map and map.* The squares are not stored. This is what the paper on NESL for GPUs did with all operations on
-- elements, and with nothing else.

-- ==
-- entry: map_map
-- input { [1, -2, 3] } output { [2, 5, 10] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry map_map [n] (xs: [n]i32) : [n]i32 =
  let squares = map (\x -> x * x) xs
  in map (+ 1) squares

-- *Map and permute.* Each square is computed when it is written to its place.

-- ==
-- entry: map_permute
-- input { [1, -2, 3] [2i64, 0i64, 1i64] } output { [4, 9, 1] }
-- input { empty([0]i32) empty([0]i64) } output { empty([0]i32) }
entry map_permute [n] (xs: [n]i32) (places: [n]i64) : [n]i32 =
  let squares = map (\x -> x * x) xs
  in spread n 0 places squares

-- *Map and reduce.* Each square is computed when it is added.

-- ==
-- entry: map_reduce
-- input { [1, -2, 3] } output { 14 }
-- input { empty([0]i32) } output { 0 }
entry map_reduce [n] (xs: [n]i32) : i32 =
  let squares = map (\x -> x * x) xs
  in i32.sum squares

-- *Filter and filter.* One filter with both conditions. The second is evaluated only where the first holds.

-- ==
-- entry: filter_filter
-- input { [1, 5, 4, 3, 0, 8, 7] } output { [5, 3, 7] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry filter_filter [n] (xs: [n]i32) : []i32 =
  let odd = filter (\x -> x % 2 == 1) xs
  in filter (> 2) odd

-- *Filter and reduce.* Elements that the filter drops become the neutral element. The remaining elements are never
-- counted.

-- ==
-- entry: filter_reduce
-- input { [1, 5, 4, 3, 0, 8, 7] } output { 16 }
-- input { [2, 4] } output { 0 }
entry filter_reduce [n] (xs: [n]i32) : i32 =
  let odd = filter (\x -> x % 2 == 1) xs
  in i32.sum odd

-- > filter_reduce [1, 5, 4, 3, 0, 8, 7]

-- ## Operations beside each other
--
-- Operations that do not depend on each other are fused if they traverse the same arrays (section 8.5, *horizontal*
-- fusion). Two maps over the same array become one with two results:

-- ==
-- entry: two_maps
-- input { [1, -2, 3] } output { [2, -1, 4] [2, -4, 6] }
entry two_maps [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  (map (+ 1) xs, map (* 2) xs)

-- Two reductions become one of pairs, even with different operators:

-- ==
-- entry: range
-- input { [4, -2, 3] } output { -2 4 }
entry range [n] (xs: [n]i32) : (i32, i32) = (i32.minimum xs, i32.maximum xs)

-- ## Scalars between operations
--
-- A computation with the result of a reduction is not worth a kernel of its own. Nessie fuses such a `ONCE` with the
-- reduction before it:

-- ==
-- entry: mean
-- input { [1.0, 2.0, 6.0] } output { 3.0 }
entry mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n

-- ## Choosing
--
-- Not every choice is as good as another, which is why section 8 makes fusion an optimisation problem. Here `mean` and
-- `weights` both read the numbers, and could be computed together. But the deviations need the mean, so the weights
-- would have to be stored until then. It is better to compute them where they are used: there are two kernels either
-- way, and an array less. A greedy choice does not find this plan, but solving the optimisation problem does.

-- ==
-- entry: weighted_deviations
-- input { [1.0, 2.0, 3.0, 6.0] } output { [-2.0, -0.5, 0.0, 0.5] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry weighted_deviations [n] (xs: [n]f64) : [n]f64 =
  let weights = map (\x -> 1 / x) xs
  let average = mean xs
  let deviations = map (\x -> x - average) xs
  in map2 (*) weights deviations

-- > weighted_deviations [1.0, 2.0, 3.0, 6.0]

-- ## What is not fused
--
-- Nessie also fuses a permutation with a reduction, since the order of a sum does not matter. In Norn an index may be
-- out of bounds, and then its element does not count; or it may occur twice, and then only one of the elements counts.
-- So the elements are written before they are added.

-- ==
-- entry: permute_reduce
-- input { [1, -2, 3] [2i64, 0i64, 1i64] } output { 2 }
-- input { [1, -2, 3] [2i64, 3i64, 1i64] } output { 4 }
entry permute_reduce [n] (xs: [n]i32) (places: [n]i64) : i32 =
  i32.sum (spread n 0 places xs)
