-- A few steps around a loop with remainders: copies of the inner loop would keep compilers of kernels busy for minutes.
-- ==
-- input { [[[1i64, 2i64], [3i64, 4i64]]] [1i64, 2i64, 3i64] [4i64, 5i64, 7i64] }
-- output { [[[1i64, 14i64], [13i64, 16i64]]] }
entry main [k] [n] [m] [l] (tables: [k][n][m]i64) (is: [l]i64) (js: [l]i64) : [k][n][m]i64 =
  map (\table ->
         loop table = copy table
         for _step < 10 do
           loop table
           for (i, j) in zip is js do
             let row = i %% n
             let column = j %% m
             in table with [row, column] = i64.max (table[row, column] + 1) j)
      tables
