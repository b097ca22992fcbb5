-- How heat spreads over a chip whose cells give off power: many small steps of time, in which each
-- cell looks at its four neighbours. Beyond the edge it is as warm as at the edge.
-- ==
-- nobench input { 1i32 [[80.0f32, 90.0f32], [80.0f32, 80.0f32]] [[0.0f32, 0.0f32], [1.0f32, 0.0f32]] }
-- output { [[81.0f32, 87.98f32], [80.5f32, 81.0f32]] }
-- nobench script input { input 3i32 64i64 } auto output
-- structure run { launches 3 waits 1 sent 0 received 0 }
-- "360 x 256" notest script input { input 360i32 256i64 } output @ data/hotspot-360x256.out
-- "360 x 512" notest script input { input 360i32 512i64 } output @ data/hotspot-360x512.out
-- "360 x 1024" notest script input { input 360i32 1024i64 } output @ data/hotspot-360x1024.out

import "data"

-- How much of a difference to a neighbour and to the surroundings is made up for in a step, how warm
-- the surroundings are, and how much a unit of power warms a cell.
def to_neighbour : f32 = 0.1

def to_surroundings : f32 = 0.001

def surroundings : f32 = 80

def warming : f32 = 0.5

entry input (steps: i32) (n: i64) : (i32, [n][n]f32, [n][n]f32) =
  ( steps
  , tabulate_2d n n (\i j -> between 70 90 1 (i * n + j))
  , tabulate_2d n n (\i j -> unit 2 (i * n + j))
  )

def step [n] [m] (temperature: [n][m]f32) (power: [n][m]f32) : [n][m]f32 =
  let next i j =
    let here = temperature[i, j]
    let north = temperature[i64.max 0 (i - 1), j]
    let south = temperature[i64.min (n - 1) (i + 1), j]
    let west = temperature[i, i64.max 0 (j - 1)]
    let east = temperature[i, i64.min (m - 1) (j + 1)]
    in here
       + to_neighbour * (north + south + west + east - 4 * here)
       + to_surroundings * (surroundings - here)
       + warming * power[i, j]
  in tabulate_2d n m next

entry main [n] [m]
           (steps: i32)
           (temperature: [n][m]f32)
           (power: [n][m]f32) : [n][m]f32 =
  loop temperature for _i < steps do step temperature power
