-- Rows of matrices that a thread makes each, of which only the first two dimensions change places. They were made as if all had.
-- ==
-- entry: both
-- input { 3i64 2i64 } output { [[1i64, 13i64, 25i64], [4i64, 16i64, 28i64]] [[2i64, 14i64, 26i64], [5i64, 17i64, 29i64]] }
-- input { 0i64 2i64 } output { empty([2][0]i64) empty([2][0]i64) }
-- entry: sums
-- input { 5000i64 } output { 1212267465i64 }
def made (n: i64) (k: i64) : [n][k][3]i64 =
  map (\i ->
    let start = replicate k [0i64, 0, 0]
    in loop rows = start for j < k do
         rows with [j] =
                [ i * 12 + j * 3 + 1
                , i * 12 + j * 3 + 2
                , if j == 0 then 0 else rows[j - 1, 2] + i
                ]) (iota n)

entry both (n: i64) (k: i64) : ([k][n]i64, [k][n]i64) =
  let turned = transpose (made n k)
  in (map (map (\row -> row[0])) turned, map (map (\row -> row[1])) turned)

entry sums (n: i64) : i64 =
  let turned = transpose (made n 2)
  in i64.sum (map (\rows ->
    i64.sum (map2 (\i row -> row[0] + (i % 7) * row[1] + row[2])
                  (iota n)
                  rows)) turned)
