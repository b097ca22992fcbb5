-- # Sparse matrix times vector
--
-- The first program of *Nested data-parallelism on the GPU* (Bergstrom and Reppy, ICFP 2012). A row of a sparse matrix
-- has as many elements as it has values other than zero, so that the rows differ in length: the matrix is an irregular
-- array, `[n][?]element`. Rows are not padded, and a long row does not delay the others, because the work is divided by
-- elements, not by rows.

type element = {column: i64, value: f32}

-- A sparse vector times a dense one, and a sparse matrix times a dense vector. In the paper these are the functions
-- `svxv` and `smxv`.

def dot [m] [k] (row: [k]element) (vector: [m]f32) : f32 =
  f32.sum (map (\e -> e.value * vector[e.column]) row)

def times [n] [m] (matrix: [n][?]element) (vector: [m]f32) : [n]f32 =
  map (\row -> dot row vector) matrix

-- From outside a matrix comes in three arrays: how many elements each row has, and the columns and values of all of
-- them. `segment` cuts these into rows, and moves nothing.

-- ==
-- entry: multiply
-- nobench input { [2i64, 0i64, 1i64] [0i64, 2i64, 1i64] [10f32, 20f32, 30f32] [1f32, 2f32, 3f32] } output { [70f32, 0f32, 60f32] }
-- nobench input { [0i64] empty([0]i64) empty([0]f32) [1f32] } output { [0f32] }
-- nobench input { empty([0]i64) empty([0]i64) empty([0]f32) [1f32] } output { empty([0]f32) }
-- nobench input { [1i64] [3i64] [1f32] [1f32, 1f32] } error: Index 3 is out of bounds
-- nobench input { [2i64] [0i64] [1f32] [1f32, 1f32] } error:
-- "2000" notest script input { input 2000i64 }
-- "20000" notest script input { input 20000i64 }
-- "200000" notest script input { input 200000i64 }
entry multiply [n] [m] [k]
               (sizes: [n]i64)
               (columns: [k]i64)
               (values: [k]f32)
               (vector: [m]f32) : [n]f32 =
  let elements = map2 (\column value -> {column, value}) columns values
  in times (segment sizes elements) vector

-- The first row is 10 0 20, the second has no elements, the third is 0 30 0:

-- > multiply [2i64, 0i64, 1i64] [0i64, 2i64, 1i64] [10f32, 20f32, 30f32] [1f32, 2f32, 3f32]

-- ## A matrix with rows of very different length
--
-- The paper measures no sparse matrices, so this one is made up. Half of its rows have 4 elements, and each doubling of
-- the length halves the number of rows. With n rows there are about 2 n log n elements, and the longest row has about as
-- many as there are columns. Random numbers are hashes of their indices.

def random (seed: u32) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b9 + seed * 0x85ebca6b
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def row_size (n: i64) (i: i64) : i64 =
  i64.min n (4 << i64.i32 (u32.clz (random 1 i)))

entry input (n: i64) : ?[k].([n]i64, [k]i64, [k]f32, [n]f32) =
  let sizes = tabulate n (row_size n)
  let k = i64.sum sizes
  let below_one seed i = f32.u32 (random seed i >> 8) / 16777216
  in ( sizes
     , tabulate k (\i -> i64.u32 (random 2 i) % n)
     , tabulate k (below_one 3)
     , tabulate n (below_one 4)
     )

-- Where the elements are, in a matrix with 400 rows:

entry pattern (n: i64) : [n][n]bool =
  let (sizes, columns, _, _) = input n
  let rows = segment sizes columns
  in map (\row -> hist (||) false n row (map (const true) row)) rows

-- > :brief :img pattern 400i64;
-- alt: Dots where the matrix has elements: a few in most of the rows, and some rows nearly full

-- The same product with a dense matrix, in which elements that share a place are added up. Both agree:

-- ==
-- entry: difference_from_dense
-- nobench input { 60i64 } output { 0f32 }
entry difference_from_dense (n: i64) : f32 =
  let (sizes, columns, values, vector) = input n
  let dense =
    map (\row ->
           let (columns, values) = unzip row in hist (+) 0 n columns values)
        (segment sizes (zip columns values))
  let expected = map (\row -> f32.sum (map2 (*) row vector)) dense
  let found = multiply sizes columns values vector
  in f32.maximum (map2 (\a b -> f32.abs (a - b)) expected found)

-- > difference_from_dense 400i64
