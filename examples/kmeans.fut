-- k-means clustering: points are given to the nearest centre, centres move to the mean of their points.
-- ==
-- entry: cluster
-- input { 2i64 10i64 [[0.0f32, 0.0f32], [0.0f32, 1.0f32], [9.0f32, 9.0f32], [9.0f32, 8.0f32]] }
-- output { [[0.0f32, 0.5f32], [9.0f32, 8.5f32]] [2i64, 2i64] }

def distance [d] (a: [d]f32) (b: [d]f32) : f32 =
  f32.sum (map2 (\x y -> (x - y) ** 2) a b)

-- | The index of the centre that is nearest to a point.
def nearest [k] [d] (centres: [k][d]f32) (point: [d]f32) : i64 =
  let closer (i, a) (j, b) =
    if a < b || (a == b && i < j) then (i, a) else (j, b)
  let (i, _) =
    reduce_comm closer
                (-1, f32.inf)
                (zip (iota k) (map (distance point) centres))
  in i

-- | The mean of the points that belong to each centre. One without points stays where it is.
def means [n] [k] [d]
          (old: [k][d]f32)
          (points: [n][d]f32)
          (owner: [n]i64) : [k][d]f32 =
  let counts = hist (+) 0 k owner (replicate n 1)
  let sums = hist (map2 (+)) (replicate d 0) k owner points
  let mean before sum count : [d]f32 =
    if count == 0 then before else map (/ f32.i64 count) sum
  in map3 mean old sums counts

-- | The points of each centre, as rows of different lengths.
def groups [n] [k] [d] (centres: [k][d]f32) (points: [n][d]f32) : [k][?][d]f32 =
  let owner = map (nearest centres) points
  in map (\c -> map (.1) (filter (\(o, _) -> o == c) (zip owner points)))
         (iota k)

-- | So many steps from the first `k` points. Gives the centres and how many points each has.
entry cluster [n] [d]
              (k: i64)
              (steps: i64)
              (points: [n][d]f32) : ([k][d]f32, [k]i64) =
  let start = take k points
  let centres =
    loop centres = start for _i < steps do
      means centres points (map (nearest centres) points)
  in (centres, lengths (groups centres points))
