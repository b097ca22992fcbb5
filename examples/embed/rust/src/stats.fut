-- | Points, and what is known of many of them.
import "points"

type summary [n] = {mean: point, distances: [n]f32}

-- | The centre of points, and how far each is away from it.
entry summary [n] (points: [n][2]f32) : summary [n] =
  let mean = centre points
  in {mean, distances = map (\p -> distance mean {x = p[0], y = p[1]}) points}

-- | How far two points are apart.
entry between (a: point) (b: point) : f32 = distance a b

-- | The sum and the product of whole numbers, and how many there are.
entry totals [n] (xs: [n]i64) : (i64, i64, i64) =
  (i64.sum xs, i64.product xs, n)

entry scale [n] [m] (k: f32) (rows: [n][m]f32) : [n][m]f32 =
  map (map (* k)) rows

type shape = #circle f32 | #square f32

entry circle (radius: f32) : shape = #circle radius

entry area (s: shape) : f32 =
  match s
  case #circle r -> f32.pi * r * r
  case #square a -> a * a

entry pick [n] (xs: [n]i32) (i: i64) : i32 = xs[i]
