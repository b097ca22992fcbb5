-- The convex hull of points in the plane, as NESL has it: the points beyond a line are split by the one
-- that is farthest from it, and both sides are done at the same time.
-- ==
-- nobench input { [0.0, 2.0, 1.0, 1.0, 2.0, 0.0, 3.0] [0.0, 0.0, 1.0, 0.5, 2.0, 2.0, 1.0] }
-- output { [0.0, 0.0, 2.0, 3.0, 2.0] [0.0, 2.0, 2.0, 1.0, 0.0] }
-- nobench script input { input 1000i64 } auto output
-- structure run { launches 157 waits 54 }
-- "10000" notest script input { input 10000i64 } output @ data/quickhull-10000.out
-- "100000" notest script input { input 100000i64 } output @ data/quickhull-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/quickhull-1000000.out

import "data"

type point = {x: f64, y: f64}

-- | Points in a disc. Their coordinates are of so few bits that the areas below are computed without
-- rounding: which points belong to the hull depends on no order of evaluation.
entry input (n: i64) : ([n]f64, [n]f64) =
  let radius = 8388608
  let point i =
    let coordinate seed = f64.u32 (number seed i >> 8) - radius
    let (x, y) = (coordinate 1, coordinate 2)
    let is_inside = x * x + y * y <= radius * radius
    in if is_inside then (x, y) else (x / 2, y / 2)
  in unzip (tabulate n point)

-- | Twice the area of a triangle: positive if `p` is to the left of the way from `a` to `b`.
def area (a: point) (b: point) (p: point) : f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

-- | The one that is farthest in a direction; the first of several.
def farthest [n] (measure: point -> f64) (points: [n]point) : point =
  let farther (a, p) (b, q) = if b > a then (b, q) else (a, p)
  let (_, p) =
    reduce farther
           (f64.lowest, {x = 0, y = 0})
           (zip (map measure points) points)
  in p

-- | The part of the hull to the left of the way from `a` to `b`, with `a` and without `b`.
def hull_beyond (points: []point) (a: point, b: point) : []point =
  let beyond = filter (\p -> area a b p > 0) points
  in if length beyond < 2
     then [a] ++ beyond
     else let p = farthest (area a b) beyond
          in irregular.flatten (map (hull_beyond beyond) [(a, p), (p, b)])

-- | The corners of the hull, from the leftmost on, with the sun.
entry main [n] (xs: [n]f64) (ys: [n]f64) : ?[m].([m]f64, [m]f64) =
  let points = map2 (\x y : point -> {x, y}) xs ys
  let (left, right) = (farthest (\p -> -p.x) points, farthest (.x) points)
  let hull =
    irregular.flatten (map (hull_beyond points) [(left, right), (right, left)])
  in (map (.x) hull, map (.y) hull)
