-- Sums over samples of what maps make, such as the gradient of weights, are made element by element: products of matrices are products of matrices again, and nothing has
-- a dimension more than a result.

def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

def product [n] [m] [k] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (dot row) (transpose b)) a

-- ==
-- entry: factors
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [[7f32, 8f32, 9f32], [1f32, 2f32, 3f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, 0f32], [1f32, 1f32, 1f32]] }
-- output { [[25f32, 7f32], [8f32, 2f32], [24f32, 6f32]] [[6f32, 8f32, 7f32], [8f32, 10f32, 10f32]] }
-- structure run { launches 2 }
-- input { empty([0][2]f32) [[7f32], [1f32]] empty([0][1]f32) } output { empty([0][2]f32) [[0f32], [0f32]] }
-- input { [[1f32]] empty([1][0]f32) empty([1][0]f32) } output { [[0f32]] empty([1][0]f32) }
entry factors [n] [m] [k]
              (a: [n][k]f32)
              (b: [k][m]f32)
              (w: [n][m]f32) : ([n][k]f32, [k][m]f32) =
  vjp (\(a, b) -> product a b) (a, b) w

def distance [d] (x: [d]f32) (y: [d]f32) : f32 =
  f32.sum (map2 (\a b -> (a - b) * (a - b)) x y)

-- Centres of clusters: each sample matters to its nearest.
-- ==
-- entry: centres
-- input { [[0f32, 1f32], [4f32, 4f32], [1f32, 1f32], [5f32, 3f32]] [[0f32, 0f32], [5f32, 5f32]] }
-- output { [[-2f32, -4f32], [2f32, 6f32]] }
-- structure run { launches 2 }
-- input { empty([0][2]f32) [[0f32, 0f32]] } output { [[0f32, 0f32]] }
entry centres [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32 =
  vjp (\(centres: [k][d]f32) ->
    f32.sum (map (\point -> f32.minimum (map (distance point) centres))
                 points)) centres 1

-- The gradient of weights, whose samples share what takes work.
-- ==
-- entry: weights
-- input { [[1f32, 2f32], [0f32, 1f32]] [0f32, 1f32] [0f32, 0f32] 0f32 } output { [0.5f32, 0.5f32] 0f32 }
-- structure run { launches 2 }
entry weights [n] [d]
              (xs: [n][d]f32)
              (ys: [n]f32)
              (w: [d]f32)
              (b: f32) : ([d]f32, f32) =
  let loss (w: [d]f32, b: f32) =
    f32.sum (map2 (\x y ->
      let z = dot x w + b
      in f32.log (1 + f32.exp (-z)) + (1 - y) * z) xs ys)
  in vjp loss (w, b) 1
