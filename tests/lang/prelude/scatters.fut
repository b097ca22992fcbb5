-- scatter and spread put values at places, and ignore places that do not exist.

-- ==
-- entry: into_existing
-- input { [1, 2, 3] [2i64, 0i64, 7i64, -1i64] [30, 10, 70, 80] } output { [10, 2, 30] }
-- input { [1, 2, 3] empty([0]i64) empty([0]i32) } output { [1, 2, 3] }
entry into_existing [k] [n]
                    (dest: *[k]i32)
                    (is: [n]i64)
                    (vs: [n]i32) : *[k]i32 =
  scatter dest is vs

-- ==
-- entry: into_new
-- input { 4i64 [3i64, 1i64, 4i64] [30, 10, 40] } output { [-1, 10, -1, 30] }
entry into_new [n] (k: i64) (is: [n]i64) (vs: [n]i32) : *[k]i32 =
  spread k (-1) is vs

-- ==
-- entry: whole_rows
-- input { [[1, 2], [3, 4]] [1i64] [[5, 6]] } output { [[1, 2], [5, 6]] }
entry whole_rows [k] [m] [n]
                 (dest: *[k][m]i32)
                 (is: [n]i64)
                 (vs: [n][m]i32) : *[k][m]i32 =
  scatter dest is vs

-- ==
-- entry: in_two_dimensions
-- input { [[1, 2], [3, 4]] [0i64, 1i64, 1i64] [1i64, 0i64, 2i64] [20, 30, 50] } output { [[1, 20], [30, 4]] }
entry in_two_dimensions
    [k] [m] [n]
    (dest: *[k][m]i32)
    (is: [n]i64)
    (js: [n]i64)
    (vs: [n]i32) : *[k][m]i32 =
  scatter_2d dest (zip is js) vs

-- ==
-- entry: in_three_dimensions
-- input { [[[1, 2]], [[3, 4]]] [0i64, 1i64, 1i64] [1i64, 0i64, 2i64] [20, 30, 50] }
-- output { [[[1, 20]], [[30, 4]]] }
entry in_three_dimensions
    [k] [m] [l] [n]
    (dest: *[k][m][l]i32)
    (is: [n]i64)
    (ls: [n]i64)
    (vs: [n]i32)
    : *[k][m][l]i32 =
  scatter_3d dest (zip3 is (replicate n 0) ls) vs
