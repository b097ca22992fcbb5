-- Small arrays inside of operators: their elements are numbers, unless somebody asks for one by an index that is not known.

type v3 = [3]f64

def add (a: v3) (b: v3) : v3 = map2 (+) a b

def scale (k: f64) (a: v3) : v3 = map (* k) a

def dot (a: v3) (b: v3) : f64 = f64.sum (map2 (*) a b)

def cross (a: v3) (b: v3) : v3 =
  [ a[1] * b[2] - a[2] * b[1]
  , a[2] * b[0] - a[0] * b[2]
  , a[0] * b[1] - a[1] * b[0]
  ]

-- ==
-- entry: sums_of_rows
-- input { [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]] } output { [[5.0, 7.0, 9.0], [1.5, 1.5, 1.5]] }
-- input { empty([2][0][3]f64) } output { [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
-- input { empty([0][2][3]f64) } output { empty([0][3]f64) }
entry sums_of_rows [n] [m] (vss: [n][m]v3) : [n]v3 =
  map (reduce add (replicate 3 0)) vss

-- ==
-- entry: totals
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [5.0, 7.0, 9.0] 91.0 }
entry totals [n] (vs: [n]v3) : (v3, f64) =
  (reduce add [0, 0, 0] vs, f64.sum (map (\v -> dot v v) vs))

-- | A reduction beside another, and with a scan.
-- ==
-- entry: several
-- input { [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]] }
-- output { [[5.0, 7.0, 9.0], [1.5, 1.5, 1.5]] [77.0, 3.0] [[14.0, 91.0], [0.75, 3.75]] }
entry several [n] [m] (vss: [n][m]v3) : ([n]v3, [n]f64, [n][m]f64) =
  unzip3 (map (\vs ->
    ( reduce add (replicate 3 0) vs
    , f64.maximum (map (\v -> dot v v) vs)
    , scan (+) 0 (map (\v -> dot v v) vs)
    )) vss)

-- ==
-- entry: loops
-- input { 3i64 [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]] } output { [[8.0, 1.0, 1.0], [0.0, 16.0, 1.0]] }
-- input { 0i64 [[1.0, 0.0, 0.0]] } output { [[1.0, 0.0, 0.0]] }
entry loops [n] (k: i64) (vs: [n]v3) : [n]v3 =
  map (\v ->
    loop v = copy v
    for i < k do
      if i == 0
      then map2 (\a b -> f64.max (2 * a) b) v [0, 1, 1]
      else map (\x -> if x > 1 then x + x else x) v) vs

-- ==
-- entry: while_loops
-- input { [[1.0, 0.0, 0.0], [0.0, 3.0, 4.0], [100.0, 0.0, 0.0]] }
-- output { [[128.0, 0.0, 0.0], [0.0, 96.0, 128.0], [100.0, 0.0, 0.0]] [7, 5, 0] }
entry while_loops [n] (vs: [n]v3) : ([n]v3, [n]i32) =
  unzip (map (\v ->
    loop (v, k) = (copy v, 0)
    while dot v v < 10000 do
      (scale 2 v, k + 1)) vs)

-- ==
-- entry: branches
-- input { [1i32, 2i32, 3i32, 4i32] } output { [[1.0, 0.0, 0.0], [2.0, 4.0, 8.0], [0.0, 0.0, 3.0], [4.0, 16.0, 64.0]] }
entry branches [n] (ks: [n]i32) : [n]v3 =
  let table = [[1, 0, 0], [0, 0, 3]]
  in map (\k ->
    match k
    case 1 -> table[0]
    case 3 -> table[1]
    case k -> let x = f64.i32 k in [x, x * x, x * x * x]) ks

-- | Indices that are not known.
-- ==
-- entry: chosen
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [2i64, 0i64] } output { [3.0, 4.0] [[1.0, 2.0, 30.0], [40.0, 5.0, 6.0]] }
-- input { [[1.0, 2.0, 3.0]] [3i64] } error: out of bounds
entry chosen [n] (vs: [n]v3) (is: [n]i64) : ([n]f64, [n]v3) =
  unzip (map2 (\v i ->
    let w = scale 10 v
    in (v[i], copy v with [i] = w[i])) vs is)

-- | An array that is sorted in its place.
-- ==
-- entry: sorted
-- input { [[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]] } output { [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]] }
entry sorted [n] (vs: [n]v3) : [n]v3 =
  map (\v ->
    loop v = copy v
    for i < 2 do
      loop v for j < 2 - i do
        if v[j] > v[j + 1]
        then let (x, y) = (v[j], v[j + 1])
             let v = v with [j] = y
             in v with [j + 1] = x
        else v) vs

-- | Matrices: rows of rows.
-- ==
-- entry: powers
-- input { [[[1i32, 1i32], [1i32, 0i32]], [[0i32, 1i32], [1i32, 0i32]]] 10i32 } output { [[[89i32, 55i32], [55i32, 34i32]], [[1i32, 0i32], [0i32, 1i32]]] }
entry powers [n] (ms: [n][2][2]i32) (k: i32) : [n][2][2]i32 =
  let times (a: [2][2]i32) (b: [2][2]i32) : [2][2]i32 =
    map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a
  in map (\m -> loop p = [[1, 0], [0, 1]] for _i < k do times p m) ms

-- ==
-- entry: products
-- input { [[[[1i32, 2i32], [3i32, 4i32]], [[0i32, 1i32], [1i32, 0i32]]], [[[2i32, 0i32], [0i32, 2i32]], [[1i32, 1i32], [1i32, 1i32]]]] }
-- output { [[[2i32, 1i32], [4i32, 3i32]], [[2i32, 2i32], [2i32, 2i32]]] }
entry products [n] [m] (mss: [n][m][2][2]i32) : [n][2][2]i32 =
  let times (a: [2][2]i32) (b: [2][2]i32) : [2][2]i32 =
    map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a
  in map (reduce times [[1, 0], [0, 1]]) mss

-- ==
-- entry: turned
-- input { [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] } output { [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] }
entry turned [n] (vs: [n]v3) (ws: [n]v3) : [n]v3 = map2 cross vs ws

-- | Scans, parts, and what stands one after the other.
-- ==
-- entry: rearranged
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]] [[3i32, 2i32, 1i32, 7i32], [6i32, 5i32, 4i32, 7i32]] [[2i32, 3i32], [5i32, 6i32]] }
entry rearranged [n] (vs: [n][3]i32) : ([n][3]i32, [n][4]i32, [n][2]i32) =
  unzip3 (map (\v -> (scan (+) 0 v, sized 4 (reverse v ++ [7]), sized 2 v[1:3]))
              vs)

-- | Counts of small arrays.
-- ==
-- entry: counted
-- input { [0i64, 1i64, 0i64] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] } output { [[6i32, 8i32], [3i32, 4i32]] }
entry counted [n] (is: [n]i64) (vs: [n][2]i32) : [2][2]i32 =
  reduce_by_index (replicate 2 [0, 0]) (map2 (+)) [0, 0] is (map (map (+ 0)) vs)
