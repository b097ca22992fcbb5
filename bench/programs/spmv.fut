-- A sparse matrix times a vector. Rows differ much in length: half of them have 4 entries, and each
-- doubling of the length halves the number of rows, up to some with 262144.
-- ==
-- nobench input { [2i64, 0i64, 1i64] [0, 2, 1] [10.0f32, 20.0f32, 30.0f32] [1.0f32, 2.0f32, 3.0f32] }
-- output { [70.0f32, 0.0f32, 60.0f32] }
-- nobench script input { input 300i64 } auto output
-- structure run { launches 5 waits 3 sent 0 received 24 }
-- "2000" notest script input { input 2000i64 } output @ data/spmv-2000.out
-- "20000" notest script input { input 20000i64 } output @ data/spmv-20000.out
-- "200000" notest script input { input 200000i64 } output @ data/spmv-200000.out

import "data"

def row_length (i: i64) : i64 =
  4 << i64.min 16 (i64.i32 (u32.clz (number 1 i)))

-- | The lengths of the rows, the columns and values of their entries, and the vector.
entry input (n: i64) : ?[m].([n]i64, [m]i32, [m]f32, [n]f32) =
  let lengths = tabulate n row_length
  let m = i64.sum lengths
  in ( lengths
     , tabulate m (\i -> i32.u32 (number 2 i % u32.i64 n))
     , tabulate m (unit 3)
     , tabulate n (unit 4)
     )

entry main [n] [m] [k]
           (lengths: [n]i64)
           (columns: [m]i32)
           (values: [m]f32)
           (vector: [k]f32) : [n]f32 =
  let rows = segment lengths (zip columns values)
  in map (\row ->
    f32.sum (map (\(column, value) -> value * vector[i64.i32 column])
                 row)) rows
