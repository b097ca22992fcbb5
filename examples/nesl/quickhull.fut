-- # Convex hull
--
-- The convex hull of points in the plane, by the algorithm *quickhull*, which is one of the benchmarks of *Nested
-- data-parallelism on the GPU* (Bergstrom and Reppy, ICFP 2012). It divides and conquers as quicksort does, but the
-- problem shrinks as it goes on: points that cannot be corners are thrown away at every step. The number of points that
-- are left differs greatly from edge to edge, and is known only at run time.

type point = {x: f64, y: f64}

-- How far `p` is to the left of the way from `a` to `b`, and how far it is in the direction of that way, both as
-- multiples of the distance between `a` and `b`.

def across (a: point, b: point) (p: point) : f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

def along (a: point, b: point) (p: point) : f64 =
  (b.x - a.x) * (p.x - a.x) + (b.y - a.y) * (p.y - a.y)

-- The point with the greatest measure, where the second number decides between points with the same first. Without it
-- a point in the middle of an edge could be taken for a corner. There has to be a point.

def farthest [n] (measure: point -> (f64, f64)) (points: [n]point) : point =
  let farther (u, v, p) (s, t, q) =
    if s > u || (s == u && t > v) then (s, t, q) else (u, v, p)
  let measured = map (\p -> let (u, v) = measure p in (u, v, p)) points
  in (reduce farther (f64.lowest, f64.lowest, points[0]) measured).2

-- The corners to the left of the way from `a` to `b`, with `a` and without `b`. The farthest point from the line is a
-- corner `c`; what is left of neither `a` to `c` nor `c` to `b` is inside the hull. Both ways are followed at the same
-- time, by a `map` over the two of them. The ends of a way are not beyond it: `across` of an end may be more than 0 where
-- the difference of two equal products is rounded only once, as on a GPU, and the search would not end.

def corners_beyond (points: []point) (a: point, b: point) : []point =
  let beyond = filter (\p -> across (a, b) p > 0 && p != a && p != b) points
  in if null beyond
     then [a]
     else let c = farthest (\p -> (across (a, b) p, along (a, b) p)) beyond
          in irregular.flatten (map (corners_beyond beyond) [(a, c), (c, b)])

-- All corners, clockwise from the leftmost.

def hull [n] (points: [n]point) : []point =
  if n == 0
  then []
  else let left = farthest (\p -> (-p.x, -p.y)) points
       let right = farthest (\p -> (p.x, p.y)) points
       let ways =
         if left == right
         then [(left, right)]
         else [(left, right), (right, left)]
       in irregular.flatten (map (corners_beyond points) ways)

-- ==
-- entry: convex_hull
-- nobench input { [0.0, 2.0, 1.0, 1.0, 2.0, 0.0, 3.0] [0.0, 0.0, 1.0, 0.5, 2.0, 2.0, 1.0] }
-- output { [0.0, 0.0, 2.0, 3.0, 2.0] [0.0, 2.0, 2.0, 1.0, 0.0] }
-- nobench input { [0.0, 1.0, 2.0, 2.0, 2.0, 1.0, 0.0, 0.0, 1.0] [0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0] }
-- output { [0.0, 0.0, 2.0, 2.0] [0.0, 2.0, 2.0, 0.0] }
-- nobench input { [1.0, 3.0, 2.0] [1.0, 3.0, 2.0] } output { [1.0, 3.0] [1.0, 3.0] }
-- nobench input { [4.0, 4.0] [5.0, 5.0] } output { [4.0] [5.0] }
-- nobench script input { input 30i64 }
-- output { [-8028233.0, -5462363.0, -2034728.0, 8245245.0, 6607392.0, 4923844.0, -1238082.0, -3273376.0, -6090885.0]
--          [-1363450.0, 5805408.0, 7785792.0, 224559.0, -3238112.0, -6777741.0, -8242982.0, -7704614.0, -4111275.0] }
-- nobench input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
-- "50000" notest script input { input 50000i64 }
-- "500000" notest script input { input 500000i64 }
-- "5000000" notest script input { input 5000000i64 }
entry convex_hull [n] (xs: [n]f64) (ys: [n]f64) : ?[m].([m]f64, [m]f64) =
  let corners = hull (map2 (\x y : point -> {x, y}) xs ys)
  in (map (.x) corners, map (.y) corners)

-- ## The points of the paper
--
-- There are 5,000,000 of them. Ours are in a disc, which has more corners than a square. Their coordinates are whole
-- numbers of 24 bits. So `across` is exact, and nothing depends on rounding. A random number is the hash of its index.
-- Places outside the disc are chosen again.

def random (seed: u32) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b9 + seed * 0x85ebca6b
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def radius : f64 = 8388608

entry input (n: i64) : ([n]f64, [n]f64) =
  let coordinate seed i = f64.u32 (random seed i >> 8) - radius
  let point i =
    let (x, y, _) =
      loop (x, y, seed) = (radius, radius, 0)
      while x * x + y * y > radius * radius do
        (coordinate seed i, coordinate (seed + 1) i, seed + 2)
    in (x, y)
  in unzip (tabulate n point)

-- > convex_hull (input 10i64)

-- No point may be to the left of an edge, and the corners have to turn right at every one of them. This is all that can
-- be asked of a hull:

-- ==
-- entry: is_hull
-- nobench input { 1i64 } output { true }
-- nobench input { 200i64 } output { true }
entry is_hull (n: i64) : bool =
  let (xs, ys) = input n
  let points = map2 (\x y : point -> {x, y}) xs ys
  let corners = hull points
  let edges = zip corners (rotate 1 corners)
  let turns_right edge c = across edge c < 0 || length corners < 3
  in all (\edge -> all (\p -> across edge p <= 0) points) edges
     && and (map2 turns_right edges (rotate 2 corners))

-- > is_hull 100000i64

-- ## A picture
--
-- An edge is as many points as it is long, so all edges together are an irregular array.

def line (a: point, b: point) : [](i64, i64) =
  let steps = i64.f64 (f64.max (f64.abs (b.x - a.x)) (f64.abs (b.y - a.y)))
  let at i =
    let t = f64.i64 i / f64.i64 (i64.max 1 steps)
    in ( i64.f64 (f64.round (a.y + t * (b.y - a.y)))
       , i64.f64 (f64.round (a.x + t * (b.x - a.x)))
       )
  in map at (iota (steps + 1))

def paint [h] [w] [n]
          (colour: u32)
          (image: *[h][w]u32)
          (places: [n](i64, i64)) : *[h][w]u32 =
  scatter_2d image places (replicate n colour)

-- Points are grey, edges red.

entry picture (size: i64) (n: i64) : [size][size]u32 =
  let scale (c: f64) : f64 = (c / radius + 1) * f64.i64 (size - 1) / 2
  let (xs, ys) = input n
  let points = map2 (\x y : point -> {x = scale x, y = scale y}) xs ys
  let corners = hull points
  let edges = map line (zip corners (rotate 1 corners))
  let pixel (p: point) = (i64.f64 (f64.round p.y), i64.f64 (f64.round p.x))
  let white = replicate size (replicate size 0xffffffff)
  let with_points = paint 0xff909090 white (map pixel points)
  in paint 0xffd02020 with_points (irregular.flatten edges)

-- > :brief :img picture 400i64 2000i64;
-- alt: Points in a disc, and a red polygon around them
