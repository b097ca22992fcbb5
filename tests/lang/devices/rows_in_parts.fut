-- In what order the floats of rows, columns and products are combined depends on how many rows there are, not on how many of them a device has.
-- ==
-- entry: row_sums column_sums products pairs
-- input { 3i64 5i64 } auto output
-- input { 200i64 40i64 } auto output
-- input { 300i64 700i64 } auto output
-- input { 5i64 9000i64 } auto output

def matrix (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> 1 / f32.i64 ((i * m + j) * 7919 % 1013 + 1))

entry row_sums (n: i64) (m: i64) : [n]f32 = map f32.sum (matrix n m)

entry column_sums (n: i64) (m: i64) : [n]f32 =
  map f32.sum (transpose (matrix m n))

entry products (n: i64) (m: i64) : [n][7]f32 =
  map (\row ->
    map (\column -> f32.sum (map2 (*) row column))
        (transpose (matrix m 7))) (matrix n m)

-- | All rows look at all elements of one array.
entry pairs (n: i64) (m: i64) : [n]f32 =
  let xs = (matrix 1 m)[0]
  in map (\y -> f32.sum (map (\x -> f32.abs (x - y)) xs)) (map f32.i64 (iota n))
