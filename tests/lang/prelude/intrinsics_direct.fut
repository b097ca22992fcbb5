-- What is reachable only through the module `intrinsics`: accumulators and views of flat memory.

type~ acc 't = intrinsics.acc t

-- ==
-- entry: scattered
-- input { [0, 0, 0, 0] [3i64, 1i64, 9i64] } output { [0, 10, 0, 30] }
entry scattered [k] [n] (dest: *[k]i32) (is: [n]i64) : *[k]i32 =
  let write (out: *acc ([k]i32)) (i: i64) : acc ([k]i32) =
    intrinsics.acc_write out i (10 * i32.i64 i)
  in intrinsics.scatter_stream dest write is

-- ==
-- entry: accumulated
-- input { [0, 0, 0] [2i64, 1i64, 2i64] } output { [0, 2, 4] }
entry accumulated [k] [n] (dest: *[k]i32) (is: [n]i64) : *[k]i32 =
  let write (out: *acc ([k]i32)) (i: i64) : acc ([k]i32) =
    intrinsics.acc_write (intrinsics.acc_write out i 1) i 1
  in intrinsics.hist_stream dest (+) 0 write is

-- ==
-- entry: viewed
-- input { [0, 1, 2, 3, 4, 5, 6, 7] } output { [[1, 2], [5, 6]] [[[0, 1]], [[4, 5]]] [[[[2]], [[6]]]] }
entry viewed [n] (xs: [n]i32) : ([][]i32, [][][]i32, [][][][]i32) =
  ( intrinsics.flat_index_2d xs 1 2 4 2 1
  , intrinsics.flat_index_3d xs 0 2 4 1 2 2 1
  , intrinsics.flat_index_4d xs 2 1 8 2 4 1 2 1 1
  )

-- ==
-- entry: overwritten
-- input { [0, 1, 2, 3, 4, 5, 6, 7] } output { [0, 10, 20, 3, 4, 50, 60, 7] }
entry overwritten [n] (xs: *[n]i32) : *[n]i32 =
  intrinsics.flat_update_2d xs 1 4 1 [[10, 20], [50, 60]]

-- ==
-- entry: overwritten_deeper
-- input { [0, 1, 2, 3, 4, 5, 6, 7] } output { [10, 1, 2, 3, 50, 30, 6, 70] }
entry overwritten_deeper [n] (xs: *[n]i32) : *[n]i32 =
  let ys = intrinsics.flat_update_3d xs 0 4 2 1 [[[10]], [[50]]]
  in intrinsics.flat_update_4d ys 5 1 1 1 2 [[[[30, 70]]]]
