-- hist and reduce_by_index combine what falls into one bin.

-- ==
-- entry: counts
-- input { 4i64 [0i64, 2i64, 2i64, 9i64, -1i64, 3i64] } output { [1, 0, 2, 1] }
-- input { 2i64 empty([0]i64) } output { [0, 0] }
entry counts [n] (k: i64) (is: [n]i64) : *[k]i32 =
  hist (+) 0 k is (replicate n 1)

-- ==
-- entry: into_existing
-- input { [10, 20, 30] [0i64, 2i64, 0i64, 3i64] [1, 2, 3, 4] } output { [14, 20, 32] }
entry into_existing [k] [n]
                    (dest: *[k]i32)
                    (is: [n]i64)
                    (vs: [n]i32) : *[k]i32 =
  reduce_by_index dest (+) 0 is vs

-- ==
-- entry: in_two_dimensions
-- input { [[0, 0], [0, 0]] [0i64, 1i64, 1i64, 2i64] [1i64, 0i64, 0i64, 0i64] [1, 2, 3, 4] }
-- output { [[0, 1], [5, 0]] }
entry in_two_dimensions
    [k] [m] [n]
    (dest: *[k][m]i32)
    (is: [n]i64)
    (js: [n]i64)
    (vs: [n]i32) : *[k][m]i32 =
  reduce_by_index_2d dest (+) 0 (zip is js) vs

-- ==
-- entry: in_three_dimensions
-- input { [[[0, 0]], [[0, 0]]] [0i64, 1i64, 1i64] [1i64, 0i64, 0i64] [5, 2, 7] }
-- output { [[[0, 5]], [[7, 0]]] }
entry in_three_dimensions
    [k] [m] [l] [n]
    (dest: *[k][m][l]i32)
    (is: [n]i64)
    (ls: [n]i64)
    (vs: [n]i32)
    : *[k][m][l]i32 =
  reduce_by_index_3d dest i32.max 0 (zip3 is (replicate n 0) ls) vs
