-- Products of matrices that are so large that panels of the second one are packed, in sizes that are no multiple of anything;
-- and of some that are small, or empty.
-- ==
-- entry: integers reversed part batch
-- script input { i32s 70i64 131i64 67i64 } auto output
-- script input { i32s 20i64 2100i64 5i64 } auto output
-- script input { i32s 16i64 64i64 129i64 } auto output
-- script input { i32s 19i64 1i64 2000i64 } auto output
-- script input { i32s 3i64 130i64 70i64 } auto output
-- script input { i32s 1i64 1i64 1i64 } auto output
-- script input { i32s 0i64 130i64 130i64 } auto output
-- script input { i32s 130i64 0i64 130i64 } auto output
-- script input { i32s 130i64 130i64 0i64 } auto output

-- ==
-- entry: least mixed
-- script input { i32s 70i64 131i64 67i64 } auto output
-- seldom script input { i32s 35i64 300i64 110i64 } auto output

-- ==
-- entry: singles
-- script input { f32s 70i64 131i64 67i64 } auto output
-- script input { f32s 20i64 2100i64 5i64 } auto output
-- script input { f32s 16i64 64i64 129i64 } auto output
-- script input { f32s 19i64 1i64 2000i64 } auto output
-- script input { f32s 3i64 130i64 70i64 } auto output
-- script input { f32s 1i64 1i64 1i64 } auto output
-- script input { f32s 0i64 130i64 130i64 } auto output
-- script input { f32s 130i64 0i64 130i64 } auto output
-- script input { f32s 130i64 130i64 0i64 } auto output

-- ==
-- entry: doubles
-- script input { f64s 70i64 131i64 67i64 } auto output
-- seldom script input { f64s 35i64 300i64 110i64 } auto output

-- ==
-- entry: halves
-- script input { f16s 70i64 131i64 67i64 } auto output
-- seldom script input { f16s 35i64 300i64 110i64 } auto output

-- ==
-- entry: bytes
-- script input { u8s 70i64 131i64 67i64 } auto output
-- seldom script input { u8s 35i64 300i64 110i64 } auto output

-- ==
-- entry: longs
-- script input { i64s 70i64 131i64 67i64 } auto output
-- seldom script input { i64s 35i64 300i64 110i64 } auto output

-- ==
-- entry: complex
-- script input { pairs 70i64 131i64 67i64 } auto output
-- seldom script input { pairs 35i64 300i64 110i64 } auto output

-- So many rows of the first, columns of the second, and summands.
def matrices 'a (of: i64 -> a) (n: i64) (m: i64) (k: i64) : ([n][k]a, [k][m]a) =
  ( tabulate_2d n k (\i j -> of ((i * 7 + j * 3) % 11 - 5))
  , tabulate_2d k m (\i j -> of ((i * 5 + j * 13) % 17 - 8))
  )

entry i32s n m k = matrices i32.i64 n m k
entry f32s n m k = matrices f32.i64 n m k
entry f64s n m k = matrices f64.i64 n m k
entry f16s n m k = matrices f16.i64 n m k
entry u8s n m k = matrices u8.i64 n m k
entry i64s n m k = matrices i64.i64 n m k

entry pairs n m k =
  let (a, b) = matrices f32.i64 n m k
  let (v, w) = matrices (f32.i64 >-> (3 -)) n m k
  in (a, b, v, w)

def product 'a [n] [m] [k]
            (times: a -> a -> a)
            (sum: [k]a -> a)
            (a: [n][k]a)
            (b: [k][m]a) : [n][m]a =
  map (\row -> map (\column -> sum (map2 times row column)) (transpose b)) a

entry integers a b = product (*) i32.sum a b
entry singles a b = product (*) f32.sum a b
entry doubles a b = product (*) f64.sum a b
entry bytes a b = product (*) u8.sum a b
entry longs a b = product (*) i64.sum a b

-- Sums of these lose more than a test can tolerate, but the greatest does not.
entry halves a b = product (*) f16.maximum a b

-- The lengths of shortest paths.
entry least a b = product (+) i32.minimum a b

-- Two matrices that all rows share, and two sums.
entry complex [n] [m] [k]
              (a: [n][k]f32)
              (b: [k][m]f32)
              (v: [n][k]f32)
              (w: [k][m]f32) =
  let times (x, y) (s, t) = (x * s - y * t, x * t + y * s)
  let plus (x, y) (s, t) = (x + s, y + t)
  let sum xs ys ss ts = reduce plus (0, 0) (map2 times (zip xs ys) (zip ss ts))
  in unzip (flatten (map2 (\x y -> map2 (sum x y) (transpose b) (transpose w))
                          a
                          v))

-- Down the columns from their ends.
entry reversed [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) =
  product (*) i32.sum a (reverse b)

-- A panel begins neither where the memory does nor at its first column.
entry part [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) : [][]i32 =
  let (down, across) = (i64.min 3 k, i64.min 3 m)
  in product (*) i32.sum a[:, down:] b[down:, across:]

-- Each with a second matrix of its own.
entry batch [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) : [3][n][m]i32 =
  map (\x -> product (*) i32.sum a (map (map (+ x)) b)) [1, 2, 3]

-- Small numbers in large sums, and something done with the sum.
entry mixed [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) : [n][m]f64 =
  let root x = f64.sqrt (f64.i64 (i64.abs x))
  let sum row column = i64.sum (map2 (\x y -> i64.i32 x * i64.i8 y) row column)
  let columns = transpose (map (map i8.i32) b)
  in map (\row -> map (\column -> root (sum row column)) columns) a
