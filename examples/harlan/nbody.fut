-- # Forces between bodies
--
-- The force on each body is the sum of the pulls of all others. This is the first program of Holk,
-- Newton, Siek and Lumsdaine, *Region-based Memory Management for GPU Programming Languages* (OOPSLA
-- 2014, figure 1). The paper shows it for its form: parallel operators inside a parallel operator, on
-- values of an algebraic data type. A simulation (`accelerate/nbody.fut`) in which bodies have masses
-- and move is among the programs of another paper, which has no nested parallelism.
--
-- As in the paper, all masses and the gravitational constant are one.

-- | A place, a way or a force. Harlan has a type with one constructor for it, Norn a record.
type point = {x: f32, y: f32, z: f32}

def origin : point = {x = 0, y = 0, z = 0}

def add (a: point) (b: point) : point =
  {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def difference (a: point) (b: point) : point =
  {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}

def divided (a: point) (by: f32) : point =
  {x = a.x / by, y = a.y / by, z = a.z / by}

def magnitude (a: point) : f32 = f32.sqrt (a.x * a.x + a.y * a.y + a.z * a.z)

-- A body does not pull itself: at a distance of zero there is no force.

def pull (by: point) (on: point) : point =
  let way = difference by on
  let d = magnitude way
  in if 0 < d then divided way (d * d * d) else origin

def force [n] (bodies: [n]point) (on: point) : point =
  reduce_comm add origin (map (\by -> pull by on) bodies)

def forces [n] (bodies: [n]point) : [n]point = map (force bodies) bodies

-- ## Bodies as rows of numbers
--
-- Entry points take and return coordinates.

def point (p: [3]f32) : point = {x = p[0], y = p[1], z = p[2]}

def coordinates (p: point) : [3]f32 = [p.x, p.y, p.z]

-- ==
-- entry: nbody
-- nobench input { [[0f32, 0f32, 0f32], [3f32, 4f32, 0f32]] }
-- output { [[0.024f32, 0.032f32, 0f32], [-0.024f32, -0.032f32, 0f32]] }
-- nobench input { [[1f32, 0f32, 0f32], [-1f32, 0f32, 0f32], [0f32, 2f32, 0f32], [0f32, 0f32, 0f32]] }
-- output { [[-1.3394427f32, 0.17888544f32, 0f32], [1.3394427f32, 0.17888544f32, 0f32],
--           [0f32, -0.6077709f32, 0f32], [0f32, 0.25f32, 0f32]] }
-- nobench input { [[1f32, 2f32, 3f32]] } output { [[0f32, 0f32, 0f32]] }
-- nobench input { empty([0][3]f32) } output { empty([0][3]f32) }
-- "500" notest script input { input 500i64 }
-- "5000" notest script input { input 5000i64 }
-- "50000" notest script input { input 50000i64 }
entry nbody [n] (bodies: [n][3]f32) : [n][3]f32 =
  map coordinates (forces (map point bodies))

-- > nbody [[0f32, 0f32, 0f32], [3f32, 4f32, 0f32]]

-- | A pseudorandom number from 0 to 1: the `i`-th of the sequence for a seed.
def unit (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  let x = x ^ (x >> 15)
  in f32.u32 (x >> 8) * (1 / 16777216)

entry input (n: i64) : [n][3]f32 =
  tabulate n (\i -> tabulate 3 (\axis -> 100 * unit (1 + u32.i64 axis) i))

-- By Newton's third law the forces of all bodies add up to zero. What is left of the sum, in relation
-- to the sum of magnitudes, is due to rounding.

-- ==
-- entry: imbalance
-- nobench script input { input 50i64 } output { 0f32 }
entry imbalance [n] (bodies: [n][3]f32) : f32 =
  let fs = forces (map point bodies)
  in magnitude (reduce_comm add origin fs) / f32.sum (map magnitude fs)

-- > imbalance (input 1000i64)

-- ## Newton's shell
--
-- Bodies that are spread evenly over a sphere do not pull what is inside, and pull what is outside as
-- if all of them were at its centre. The plot shows the pull on a body at a growing distance from the
-- centre of a shell of radius 1, in relation to that of the whole shell.

-- | Points that are spread evenly over the unit sphere, along a spiral of golden angles.
def shell (n: i64) : [n]point =
  let golden_angle = f32.pi * (3 - f32.sqrt 5)
  in tabulate n (\i ->
    let z = 1 - (2 * f32.i64 i + 1) / f32.i64 n
    let radius = f32.sqrt (1 - z * z)
    let angle = golden_angle * f32.i64 i
    in { x = radius * f32.cos angle
       , y = radius * f32.sin angle
       , z
       })

-- ==
-- entry: pull_of_shell
-- nobench input { 1000i64 [0f32, 2f32, 4f32] } output { [0f32, 0.25f32, 0.0625f32] }
entry pull_of_shell [k] (n: i64) (distances: [k]f32) : [k]f32 =
  let bodies = shell n
  let pull_at d =
    magnitude (force bodies {x = 0.6 * d, y = 0.8 * d, z = 0}) / f32.i64 n
  in map pull_at distances

entry distances (n: i64) : [n]f32 =
  tabulate n (\i -> 4 * f32.i64 i / f32.i64 n)

-- > :brief :plot2d (distances 200i64, pull_of_shell 10000i64 (distances 200i64));
-- xlabel: distance from the middle of the shell
-- ylabel: pull
-- alt: No pull inside the shell, a jump at the shell, and outside a pull that falls with the square of the distance
