-- A step of k-means clustering: points are given to the nearest centre, and centres move to the mean of
-- their points.
-- ==
-- nobench input { [[0.0f32, 0.0f32], [9.0f32, 9.0f32], [5.0f32, -90.0f32]]
--                 [[0.0f32, 1.0f32], [1.0f32, 0.0f32], [9.0f32, 8.0f32]] }
-- output { [[0.5f32, 0.5f32], [9.0f32, 8.0f32], [5.0f32, -90.0f32]] }
-- nobench script input { input 4i64 3i64 1000i64 } auto output
-- structure run { launches 8 waits 1 }
-- "32 x 16 x 10000" notest script input { input 32i64 16i64 10000i64 } output @ data/kmeans-32x16x10000.out
-- "32 x 16 x 100000" notest script input { input 32i64 16i64 100000i64 } output @ data/kmeans-32x16x100000.out
-- "32 x 16 x 1000000" notest script input { input 32i64 16i64 1000000i64 } output @ data/kmeans-32x16x1000000.out

import "data"

-- | The first points are the centres.
entry input (k: i64) (d: i64) (n: i64) : ([k][d]f32, [n][d]f32) =
  let points = tabulate_2d n d (\i j -> unit 1 (i * d + j))
  in (copy (take k points), points)

def distance [d] (a: [d]f32) (b: [d]f32) : f32 =
  f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)

-- | The index of the centre that is nearest to a point; the first of several.
def nearest [k] [d] (centres: [k][d]f32) (point: [d]f32) : i64 =
  let closer (i, a) (j, b) = if b < a then (j, b) else (i, a)
  let (i, _) =
    reduce closer (-1, f32.inf) (zip (iota k) (map (distance point) centres))
  in i

entry main [k] [d] [n] (centres: [k][d]f32) (points: [n][d]f32) : [k][d]f32 =
  let owners = map (nearest centres) points
  let counts = hist (+) 0 k owners (replicate n 1i32)
  let sums = hist (map2 (+)) (replicate d 0) k owners points
  let mean (before: [d]f32) sum count : [d]f32 =
    if count == 0 then before else map (/ f32.i32 count) sum
  in map3 mean centres sums counts
