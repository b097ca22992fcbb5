-- # K-means clustering
--
-- Each point belongs to the nearest of `k` centres, and the centres move to the mean of their points, until hardly any
-- point changes its centre. This is the program K-means of Rodinia, one of the sixteen benchmarks of the Futhark paper
-- (PLDI 2017), whose section 2.4 is about the sums: here a single `hist` adds up the points of all centres.

def distance [d] (a: [d]f32) (b: [d]f32) : f32 =
  f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)

-- | The index of the centre that is nearest to a point; the first of several.
def nearest [k] [d] (centres: [k][d]f32) (point: [d]f32) : i64 =
  let closer (i, a) (j, b) = if b < a then (j, b) else (i, a)
  let (i, _) =
    reduce closer (0, f32.inf) (zip (iota k) (map (distance point) centres))
  in i

def sizes [n] (k: i64) (owners: [n]i64) : [k]i32 =
  hist (+) 0 k owners (replicate n 1)

-- | The mean of the points that belong to each centre. One without points stays where it is.
def means [n] [k] [d]
          (old: [k][d]f32)
          (points: [n][d]f32)
          (owners: [n]i64) : [k][d]f32 =
  let sums = hist (map2 (+)) (replicate d 0) k owners points
  let mean before sum count : [d]f32 =
    if count == 0 then before else map (/ f32.i32 count) sum
  in map3 mean old sums (sizes k owners)

-- | How many points belong to another centre than before.
def changes [n] (before: [n]i64) (after: [n]i64) : i64 =
  i64.sum (map2 (\a b -> i64.bool (a != b)) before after)

-- | Moves the centres until no more than `limit` points change their centre, or so many steps are done. Gives the centres,
-- the centre of each point, and the number of steps.
#[inline]
def settle [n] [k] [d]
           (max_steps: i32)
           (limit: i64)
           (points: [n][d]f32)
           (start: [k][d]f32) : ([k][d]f32, [n]i64, i32) =
  let (centres, owners, _, steps) =
    loop (centres, owners, changed, step) = (start, replicate n (-1), n, 0)
    while changed > limit && step < max_steps do
      let new = map (nearest centres) points
      in (means centres points new, new, changes owners new, step + 1)
  in (centres, owners, steps)

-- | The benchmark, which starts with the first `k` points as centres. Gives the centres, how many points each has, and the
-- number of steps.
-- ==
-- entry: cluster
-- nobench input { 2i64 10i32 0i64 [[0.0f32, 0.0f32], [0.0f32, 1.0f32], [9.0f32, 9.0f32], [9.0f32, 8.0f32]] }
-- output { [[0.0f32, 0.5f32], [9.0f32, 8.5f32]] [2, 2] 3 }
-- nobench input { 3i64 10i32 0i64 [[1.0f32], [1.0f32], [5.0f32], [7.0f32]] }
-- output { [[1.0f32], [1.0f32], [6.0f32]] [2, 0, 2] 2 }
-- nobench input { 1i64 10i32 0i64 [[3.0f32, 4.0f32]] } output { [[3.0f32, 4.0f32]] [1] 2 }
-- nobench script input { input 0.25f32 3i64 2i64 60i64 }
-- output { [[1.012719f32, 1.003699f32], [0.814300f32, 0.195758f32], [0.232086f32, 0.839814f32]] [20, 22, 18] 2 }
-- "4,940" notest script input { input 2f32 5i64 34i64 4940i64 }
-- "49,402" notest script input { input 2f32 5i64 34i64 49402i64 }
-- "494,020" notest script input { input 2f32 5i64 34i64 494020i64 }
entry cluster [n] [d]
              (k: i64)
              (max_steps: i32)
              (limit: i64)
              (points: [n][d]f32) : ([k][d]f32, [k]i32, i32) =
  let (centres, owners, steps) = settle max_steps limit points (take k points)
  in (centres, sizes k owners, steps)

-- The points of the centres are rows of different lengths, so they form an irregular array. A function of a cluster is
-- mapped over it like any other.

-- | The points of each centre.
def groups [n] [k] [d] (centres: [k][d]f32) (points: [n][d]f32) : [k][?][d]f32 =
  let owners = map (nearest centres) points
  in map (\c -> map (.1) (filter (\(o, _) -> o == c) (zip owners points)))
         (iota k)

-- | How far the points of each centre are from it: the root of the mean square.
-- ==
-- entry: radii
-- nobench input { [[0.0f32, 0.0f32], [9.0f32, 9.0f32], [99.0f32, 99.0f32]]
--                 [[0.0f32, 5.0f32], [0.0f32, -5.0f32], [9.0f32, 8.0f32]] }
-- output { [5.0f32, 1.0f32, 0.0f32] }
entry radii [n] [k] [d] (centres: [k][d]f32) (points: [n][d]f32) : [k]f32 =
  let radius [m] (centre: [d]f32) (group: [m][d]f32) =
    f32.sqrt (f32.sum (map (distance centre) group) / f32.i64 (i64.max 1 m))
  in map2 radius centres (groups centres points)

-- The data set of the paper, records of network connections from the KDD cup of 1999, has 494,020 points of 34 features.
-- These are made up: as many, around `k` places. They spread so far that the clusters overlap, and it takes some steps to
-- tell them apart. As in Rodinia there are 500 steps at most; they end when less than a thousandth of the points changes.

-- | The `i`-th of a sequence of numbers from 0 to 1 that look random.
def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in f32.u32 ((x ^ (x >> 15)) >> 8) / 16777216

entry input (noise: f32)
            (k: i64)
            (d: i64)
            (n: i64) : (i64, i32, i64, [n][d]f32) =
  let place i j = random 1 (i * d + j)
  let bell seed i =
    random seed i + random (seed + 1) i + random (seed + 2) i - 1.5
  let group i = i64.f32 (random 2 i * f32.i64 k)
  let feature i j = place (group i) j + noise * bell 3 (i * d + j)
  in (k, 500, n / 1000, tabulate_2d n d feature)

-- ## Where to start
--
-- The first `k` points may be a bad start: if two of them are in one cluster, they may share it for ever, while another
-- centre has two clusters to itself. K-means++ (Arthur and Vassilvitskii, 2007) spreads the centres: it chooses one after
-- the other from the points at random, with a probability that is proportional to the square of the distance from the
-- nearest centre so far.

-- | `k` of the points that are far from each other, the first of which is the first point.
-- ==
-- entry: spread
-- nobench input { 3i64 [[0.0f32], [0.0f32], [100.0f32], [100.0f32], [-50.0f32]] } output { [[0.0f32], [100.0f32], [-50.0f32]] }
entry spread [n] [d] (k: i64) (points: [n][d]f32) : [k][d]f32 =
  loop centres = replicate k points[0]
  for i in 1..<k do
    let squares =
      map (\point -> f32.minimum (map (distance point) centres)) points
    let sums = scan (+) 0 squares
    let chosen = length (filter (< random 7 i * last sums) sums)
    in centres with [i] = copy points[chosen]

-- Points in the plane, in the colours of their clusters, and the centres as crosses.

entry picture [n]
              (k: i64)
              (steps: i32)
              (limit: i64)
              (points: [n][2]f32) : [][]u32 =
  let size = 480
  let (centres, _, _) = settle steps limit points (spread k points)
  let pixel (point: [2]f32) =
    let at x = i64.f32 ((x + 0.5) / 2 * f32.i64 size)
    in (at point[1], at point[0])
  let colours = [0xffff8000, 0xff0080ff, 0xff80c000, 0xffc060c0, 0xff909090u32]
  let colour point = colours[nearest centres point % length colours]
  -- Where several points fall on a pixel, one of them must be chosen, and always the same.
  let dots =
    reduce_by_index_2d
      (replicate size (replicate size 0xff000000))
      u32.max
      0xff000000
      (map pixel points)
      (map colour points)
  let cross (centre: [2]f32) =
    let (y, x) = pixel centre
    in tabulate 42 (\i -> if i < 21 then (y + i - 10, x) else (y, x + i - 31))
  let marks = flatten (map cross centres)
  in scatter_2d dots marks (map (\_ -> 0xffffffff) marks)

-- > :brief :img picture (input 0.18f32 5i64 2i64 20000i64);
-- alt: Five clouds of points, each in a colour of its own, with a white cross in the middle of each
