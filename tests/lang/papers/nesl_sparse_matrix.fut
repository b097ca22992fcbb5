-- The product of a sparse matrix and a vector, NESL's example of irregular parallelism: each row is a
-- sequence of pairs of a column and a value.

def product [n] [m] (rows: [n][?](i64, f64)) (v: [m]f64) : [n]f64 =
  map (\row -> f64.sum (map (\(column, x) -> x * v[column]) row)) rows

-- ==
-- entry: of_parts
-- input { [2i64, 0i64, 1i64, 3i64] [0i64, 2i64, 1i64, 0i64, 1i64, 2i64] [1f64, 2f64, 3f64, 1f64, 1f64, 1f64] [10f64, 20f64, 30f64] }
-- output { [70f64, 0f64, 60f64, 60f64] }
-- input { [1i64] [0i64] [2f64] [5f64] } output { [10f64] }
-- input { [0i64, 0i64] empty([0]i64) empty([0]f64) [1f64, 2f64] } output { [0f64, 0f64] }
-- input { [0i64] empty([0]i64) empty([0]f64) empty([0]f64) } output { [0f64] }
-- input { empty([0]i64) empty([0]i64) empty([0]f64) [1f64] } output { empty([0]f64) }
-- input { [2i64] [0i64, 3i64] [1f64, 1f64] [10f64, 20f64, 30f64] } error: Index 3 is out of bounds
-- input { [2i64, 2i64] [0i64, 1i64, 2i64] [1f64, 1f64, 1f64] [10f64, 20f64, 30f64] } error:
entry of_parts [n] [m] [k]
               (lens: [n]i64)
               (columns: [m]i64)
               (values: [m]f64)
               (v: [k]f64) : [n]f64 =
  product (segment lens (zip columns values)) v

-- A full row of `m` elements among rows of one element and empty ones. The vector is 0, 1, 2 and so
-- on, and all values of the matrix are 2.
-- ==
-- entry: with_a_long_row
-- input { 5i64 10000i64 } output { [0f64, 2f64, 99990000f64, 6f64, 0f64] }
-- input { 3i64 1i64 } output { [0f64, 0f64, 0f64] }
entry with_a_long_row (n: i64) (m: i64) : [n]f64 =
  let row (i: i64) : [](i64, f64) =
    if i == 2
    then map (\j -> (j, 2)) (iota m)
    else if i % 2 == 0
    then []
    else [(i64.min i (m - 1), 2)]
  in product (map row (iota n)) (map f64.i64 (iota m))

-- The matrix whose element at (i, j) is 1 if i divides j, for i from 1 on: row i has m / i elements.
-- ==
-- entry: divisors
-- input { 6i64 6i64 } output { [21f64, 12f64, 9f64, 4f64, 5f64, 6f64] }
-- input { 3i64 0i64 } output { [0f64, 0f64, 0f64] }
-- input { 0i64 5i64 } output { empty([0]f64) }
entry divisors (n: i64) (m: i64) : [n]f64 =
  let rows =
    map (\i -> map (\k -> ((k + 1) * (i + 1) - 1, 1)) (iota (m / (i + 1))))
        (iota n)
  in product rows (map (\j -> f64.i64 (j + 1)) (iota m))
