-- # Matrix multiplication
--
-- The product of two matrices, one of the benchmarks of Svensson, Vollmer, Holk, McDonell and Newton,
-- *Converting Data-Parallelism to Task-Parallelism by Rewrites* (FHPC 2015, section 6.2). Accelerate
-- has no nested parallelism: there both matrices are replicated into three dimensions, multiplied
-- element by element, and summed along one dimension, and fusion removes the intermediate arrays. In
-- Norn the program is the definition from the textbook. On a GPU it becomes one kernel that keeps
-- blocks of both matrices in fast memory.

def inner_product [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  f32.sum (map2 (*) xs ys)

-- ==
-- entry: matmul
-- nobench input { [[1f32, 2f32]] [[3f32, 4f32, 5f32], [6f32, 7f32, 8f32]] }
-- output { [[15f32, 18f32, 21f32]] }
-- nobench input { [[2f32]] [[3f32]] } output { [[6f32]] }
-- nobench input { empty([0][2]f32) [[1f32, 2f32], [3f32, 4f32]] } output { empty([0][2]f32) }
-- "256x256" notest script input { input 256i64 }
-- "1024x1024" notest script input { input 1024i64 }
-- "4096x4096" notest script input { input 4096i64 }
entry matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> inner_product row column) (transpose b)) a

-- > matmul [[1f32, 2f32], [3f32, 4f32]] [[0f32, 1f32], [1f32, 0f32]]

-- | A pseudorandom number from 0 to 1: the `i`-th of the sequence for a seed.
def unit (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  let x = x ^ (x >> 15)
  in f32.u32 (x >> 8) * (1 / 16777216)

entry input (n: i64) : ([n][n]f32, [n][n]f32) =
  ( tabulate_2d n n (\i j -> unit 1 (i * n + j))
  , tabulate_2d n n (\i j -> unit 2 (i * n + j))
  )

-- ## Pascal's matrices
--
-- Pascal's triangle, as the lower half of a matrix, times its transpose is the symmetric matrix of
-- binomial coefficients, in which each element is the sum of the one above and the one to the left.

entry pascal (n: i64) : [n][n]f32 =
  let next [m] (row: [m]f32) : [m]f32 =
    tabulate m (\j -> row[j] + if j == 0 then 0 else row[j - 1])
  let first = tabulate n (\j -> if j == 0 then 1 else 0)
  in tabulate n (\i -> loop row = first for _k < i do next row)

-- ==
-- entry: binomials
-- nobench input { 5i64 }
-- output { [[1f32, 1f32, 1f32, 1f32, 1f32], [1f32, 2f32, 3f32, 4f32, 5f32],
--           [1f32, 3f32, 6f32, 10f32, 15f32], [1f32, 4f32, 10f32, 20f32, 35f32],
--           [1f32, 5f32, 15f32, 35f32, 70f32]] }
-- nobench input { 0i64 } output { empty([0][0]f32) }
entry binomials (n: i64) : [n][n]f32 =
  let triangle = pascal n
  in matmul triangle (transpose triangle)

-- > pascal 5i64

-- > binomials 5i64

-- ## The same in three dimensions
--
-- Accelerate's formulation, written out: first all products, and then their sums.

def matmul_replicated [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  let rows: [n][p][m]f32 = map (replicate p) a
  let columns: [n][p][m]f32 = replicate n (transpose b)
  in map2 (map2 inner_product) rows columns

-- ==
-- entry: largest_difference
-- nobench script input { input 12i64 } output { 0f32 }
entry largest_difference [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : f32 =
  let difference x y = f32.abs (x - y)
  in f32.maximum (flatten (map2 (map2 difference)
                                (matmul a b)
                                (matmul_replicated a b)))

-- > largest_difference (input 200i64)
