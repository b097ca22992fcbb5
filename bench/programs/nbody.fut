-- Bodies that attract one another, each of them all others: one step.
-- ==
-- nobench input { [0.0f32, 3.0f32] [0.0f32, 4.0f32] [0.0f32, 0.0f32] [1.0f32, 50.0f32] }
-- output { [1.2f32, 2.976f32] [1.6f32, 3.968f32] [0.0f32, 0.0f32] }
-- nobench script input { input 100i64 } auto output
-- structure run { launches 1 waits 1 }
-- "1000" notest script input { input 1000i64 } output @ data/nbody-1000.out
-- "10000" notest script input { input 10000i64 } output @ data/nbody-10000.out
-- "100000" notest no_cpu no_opencl script input { input 100000i64 } output @ data/nbody-100000.out

import "data"

type vector = {x: f32, y: f32, z: f32}

def softening : f32 = 1e-4

entry input (n: i64) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  ( tabulate n (between 0 100 1)
  , tabulate n (between 0 100 2)
  , tabulate n (between 0 100 3)
  , tabulate n (between 1 1000 4)
  )

def add (a: vector) (b: vector) : vector =
  {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def acceleration (on: vector) (by: vector, mass: f32) : vector =
  let (dx, dy, dz) = (by.x - on.x, by.y - on.y, by.z - on.z)
  let square = dx * dx + dy * dy + dz * dz + softening
  let inverse = 1 / f32.sqrt square
  let strength = mass * inverse * inverse * inverse
  in {x = dx * strength, y = dy * strength, z = dz * strength}

-- | The new places, after a time of one.
entry main [n]
           (xs: [n]f32)
           (ys: [n]f32)
           (zs: [n]f32)
           (masses: [n]f32)
    : ([n]f32, [n]f32, [n]f32) =
  let places = map3 (\x y z : vector -> {x, y, z}) xs ys zs
  let move place =
    let attraction = map (acceleration place) (zip places masses)
    in add place (reduce_comm add {x = 0, y = 0, z = 0} attraction)
  in unzip3 (map (\(p: vector) -> (p.x, p.y, p.z)) (map move places))
