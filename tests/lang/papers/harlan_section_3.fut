-- The programs of section 3 of "Region-based memory management for GPU programming languages:
-- enabling rich data structures on a spartan host" (Holk, Newton, Siek and Lumsdaine, 2014).

-- Section 3.1: a reduction of a kernel over two vectors.
-- ==
-- entry: dot_product
-- input { [1f32, 2f32, 3f32] [4f32, 5f32, 6f32] } output { 32f32 }
-- input { [2f32] [-3f32] } output { -6f32 }
-- input { empty([0]f32) empty([0]f32) } output { 0f32 }
entry dot_product [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  reduce (+) 0 (map2 (\x y -> x * y) xs ys)

-- Section 3.1: a kernel whose body has another one.
-- ==
-- entry: matrix_vector_product
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] [1f32, 0f32, -1f32] } output { [-2f32, -2f32] }
-- input { [[7f32]] [3f32] } output { [21f32] }
-- input { empty([0][2]f32) [1f32, 2f32] } output { empty([0]f32) }
-- input { empty([2][0]f32) empty([0]f32) } output { [0f32, 0f32] }
entry matrix_vector_product [n] [m] (rows: [n][m]f32) (xs: [m]f32) : [n]f32 =
  map (\row -> reduce (+) 0 (map2 (\r x -> r * x) row xs)) rows

-- Section 3.2: nested vectors need not be of the same size.
def vectors : [3][?]i32 = [[1], [1, 2], [1, 2, 3]]

-- ==
-- entry: vector_of_vectors
-- input { } output { [1i64, 2i64, 3i64] [1, 1, 2, 1, 2, 3] [1, 3, 6] }
entry vector_of_vectors : ([3]i64, []i32, [3]i32) =
  (lengths vectors, irregular.flatten vectors, map i32.sum vectors)

-- ==
-- entry: one_of_the_vectors
-- input { 0i64 } output { [1] }
-- input { 2i64 } output { [1, 2, 3] }
-- input { 3i64 } error: Index 3 is out of bounds
entry one_of_the_vectors (i: i64) : []i32 = copy vectors[i]

-- Section 3.2: expressions of the lambda calculus, with de Bruijn indices.
type rec expr = #variable i32 | #lambda expr | #app expr expr

def self_application : expr = #lambda (#app (#variable 0) (#variable 0))

-- The program that does not end. It is looked at and not evaluated.
def omega : expr = #app self_application self_application

def size (e: expr) : i64 =
  match e
  case #variable _ -> 1
  case #lambda body -> 1 + size body
  case #app f x -> 1 + size f + size x

def depth (e: expr) : i64 =
  match e
  case #variable _ -> 1
  case #lambda body -> 1 + depth body
  case #app f x -> 1 + i64.max (depth f) (depth x)

-- The greatest number of binders that a variable refers beyond, at least zero.
def free (binders: i32) (e: expr) : i32 =
  match e
  case #variable i -> i32.max 0 (i + 1 - binders)
  case #lambda body -> free (binders + 1) body
  case #app f x -> i32.max (free binders f) (free binders x)

-- ==
-- entry: measures_of_omega
-- input { } output { 9i64 4i64 0 true }
entry measures_of_omega : (i64, i64, i32, bool) =
  ( size omega
  , depth omega
  , free 0 omega
  , omega == #app self_application self_application
  )

-- Expressions that are made in a kernel, and measured in another.
-- ==
-- entry: sizes_of_many
-- input { 5i64 } output { [1i64, 3i64, 7i64, 15i64, 31i64] [1, 1, 1, 1, 1] }
-- input { 1i64 } output { [1i64] [1] }
-- input { 0i64 } output { empty([0]i64) empty([0]i32) }
entry sizes_of_many (n: i64) : ([n]i64, [n]i32) =
  let exprs =
    map (\i -> loop e: expr = #variable 0 for _j < i do #app e e) (iota n)
  in (map size exprs, map (free 0) exprs)

-- Figure 1: the forces among bodies, all of mass one. A point is an algebraic data type there.
type point3 = #point3 f64 f64 f64

def point_add ((#point3 a b c): point3) ((#point3 x y z): point3) : point3 =
  #point3 (a + x) (b + y) (c + z)

def point_diff ((#point3 a b c): point3) ((#point3 x y z): point3) : point3 =
  #point3 (a - x) (b - y) (c - z)

def point_mag ((#point3 x y z): point3) : f64 = f64.sqrt (x * x + y * y + z * z)

def point_div ((#point3 x y z): point3) (d: f64) : point3 =
  #point3 (x / d) (y / d) (z / d)

def nbody [n] (bodies: [n]point3) : [n]point3 =
  map (\i ->
    reduce point_add
           (#point3 0 0 0)
           (map (\j ->
             let diff = point_diff j i
             let d = point_mag diff
             in if 0 < d
                then point_div diff (d * d * d)
                else #point3 0 0 0) bodies)) bodies

-- ==
-- entry: forces
-- input { [0f64, 2f64] [0f64, 0f64] [0f64, 0f64] } output { [0.25f64, -0.25f64] [0f64, 0f64] [0f64, 0f64] }
-- input { [0f64, 1f64, 0f64, 0f64] [0f64, 0f64, 0.5f64, 0f64] [0f64, 0f64, 0f64, -2f64] }
-- output { [1.0f64, -1.8049844718999242f64, 0.7155417527999326f64, 0.08944271909999157f64] [4.0f64, 0.3577708763999663f64, -4.414838082290868f64, 0.05706720589090187f64] [-0.25f64, -0.17888543819998315f64, -0.22826882356360748f64, 0.6571542617635906f64] }
-- input { [3f64] [4f64] [5f64] } output { [0f64] [0f64] [0f64] }
-- input { empty([0]f64) empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) empty([0]f64) }
entry forces [n]
             (xs: [n]f64)
             (ys: [n]f64)
             (zs: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  let points = nbody (map3 (\x y z -> #point3 x y z) xs ys zs)
  in unzip3 (map (\(#point3 x y z) -> (x, y, z)) points)

-- Section 3.3: a procedure that is made outside a kernel and applied inside.
-- ==
-- entry: made_outside
-- input { } output { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] }
entry made_outside : [10]i64 =
  let f = \x -> x + 1
  in map (\i -> f i) (iota 10)

-- Section 3.3: ten procedures that are made in a kernel; the one at index 5 is applied outside.
-- ==
-- entry: made_inside
-- input { } output { 120i64 }
entry made_inside : i64 =
  let funcs = map (\i -> \n -> n * i) (iota 10)
  let f = funcs[5]
  in f 24

-- ==
-- entry: any_made_inside
-- input { 0i64 24i64 } output { 0i64 }
-- input { 9i64 24i64 } output { 216i64 }
-- input { 10i64 24i64 } error: Index 10 is out of bounds
entry any_made_inside (k: i64) (x: i64) : i64 =
  let funcs = map (\i -> \n -> n * i) (iota 10)
  let f = funcs[k]
  in f x

-- Section 3.3: many programs and one datum.
def procedures (a: i64) (table: []i64) : [5](i64 -> i64) =
  [ \x -> x + 1
  , \x -> x * a
  , \x -> i64.sum (map (* x) table)
  , \x -> if x < a then -1 else 1
  , i64.abs
  ]

-- ==
-- entry: many_programs_one_datum
-- input { 3i64 [1i64, 2i64, 3i64] 5i64 } output { [6i64, 15i64, 30i64, 1i64, 5i64] }
-- input { 3i64 empty([0]i64) -5i64 } output { [-4i64, -15i64, 0i64, -1i64, 5i64] }
entry many_programs_one_datum (a: i64) (table: []i64) (x: i64) : [5]i64 =
  let funcs = procedures a table
  in map (\f -> f x) funcs
