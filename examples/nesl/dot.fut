-- # Dot product
--
-- The smallest benchmark of *Nested data-parallelism on the GPU* (Bergstrom and Reppy, ICFP 2012): the products of
-- the elements of two vectors, added up. In NESL it is `sum({x * y : x in xs; y in ys})`.
--
-- NESL on a GPU stores all products, and then adds them up in a second kernel. Here the multiplication is fused into
-- the sum, and no product is ever stored: the last line of the tests checks that one operator of the compiled
-- program multiplies and adds, and that there is no other sum.

-- ==
-- entry: dot
-- nobench input { [1.0f32, 2.0f32, 3.0f32] [4.0f32, 5.0f32, 6.0f32] } output { 32.0f32 }
-- nobench input { [0.5f32] [-3.0f32] } output { -1.5f32 }
-- nobench input { empty([0]f32) empty([0]f32) } output { 0.0f32 }
-- nobench script input { numbers 300i64 } output { 9045050.0f32 }
-- "100000" notest script input { input 100000i64 }
-- "1000000" notest script input { input 1000000i64 }
-- "10000000" notest script input { input 10000000i64 }
-- structure nest { fused 1 reduce 0 }
entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

-- > dot [1f32, 2f32, 3f32] [4f32, 5f32, 6f32]

-- ## The vectors of the paper
--
-- They have 10,000,000 elements, which are chosen at random. Here a random number is the hash of its index, so all
-- of them can be computed at the same time.

def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b9 + seed * 0x85ebca6b
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in f32.u32 ((x ^ (x >> 16)) >> 8) / 16777216

entry input (n: i64) : ([n]f32, [n]f32) =
  (tabulate n (random 1), tabulate n (random 2))

-- The elements are between 0 and 1, and a product of two is 1/4 on average:

-- > dot (input 10000000i64)

-- The numbers from 1 to n are for a test: their squares add up to n (n + 1) (2n + 1) / 6. As long as no partial sum
-- needs more than the 24 bits of an `f32`, the result is exact, whatever the order of the additions.

entry numbers (n: i64) : ([n]f32, [n]f32) =
  let xs = tabulate n (\i -> f32.i64 (i + 1))
  in (xs, xs)

-- > dot (numbers 300i64)
