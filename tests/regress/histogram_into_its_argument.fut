-- All arrays that the host has are those of the caller: nothing else asked for what dividing by a size takes.
-- ==
-- entry: add
-- input { [[1, 2, 3], [4, 5, 6]] [1i64, 1i64, 0i64] [1i64, -1i64, 2i64] [10, 20, 30] }
-- output { [[1, 2, 33], [4, 15, 6]] }
-- input { [[1, 2, 3], [4, 5, 6]] [2i64] [0i64] [10] } output { [[1, 2, 3], [4, 5, 6]] }

entry add [n] [m] [l]
          (xss: *[n][m]i32)
          (is: [l]i64)
          (js: [l]i64)
          (vs: [l]i32) : [n][m]i32 =
  reduce_by_index_2d xss (+) 0 (zip is js) vs

-- ==
-- entry: put
-- input { [[1, 2, 3], [4, 5, 6]] [1i64, -1i64, 0i64] [0i64, 1i64, 2i64] [10, 20, 30] }
-- output { [[1, 2, 30], [10, 5, 6]] }
entry put [n] [m] [l]
          (xss: *[n][m]i32)
          (is: [l]i64)
          (js: [l]i64)
          (vs: [l]i32) : [n][m]i32 =
  scatter_2d xss (zip is js) vs
