-- # Two galaxies that meet
--
-- Bodies that attract one another are moved forward in small steps of time. This is a benchmark of
-- Svensson, Vollmer, Holk, McDonell and Newton, *Converting Data-Parallelism to Task-Parallelism by
-- Rewrites* (FHPC 2015, sections 2.4 and 6). Accelerate has no nested parallelism, so the program is
-- flat: a parallel `map` over the bodies, and in it a sequential fold over all of them. Harlan's program
-- (`harlan/nbody.fut`) computes the same sums as a reduction inside a `map`. Norn accepts both. This one
-- is a simulation: bodies have masses and velocities, and move.

type vector = {x: f32, y: f32, z: f32}

def zero : vector = {x = 0, y = 0, z = 0}

def add (a: vector) (b: vector) : vector =
  {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def sub (a: vector) (b: vector) : vector =
  {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}

def scale (k: f32) (a: vector) : vector =
  {x = k * a.x, y = k * a.y, z = k * a.z}

def dot (a: vector) (b: vector) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

type body = {position: vector, velocity: vector, mass: f32}

-- ## Attraction
--
-- The paper compares positions, so that no body attracts itself. Here a small length is added to each
-- distance. This has the same effect, and bodies that pass close to each other are not flung away.

def softening : f32 = 0.01

def acceleration (on: body) (by: body) : vector =
  let way = sub by.position on.position
  let square = dot way way + softening
  in scale (by.mass / (square * f32.sqrt square)) way

def accelerations [n] (bodies: [n]body) : [n]vector =
  let attraction (on: body) : vector =
    loop sum = zero for by in bodies do add sum (acceleration on by)
  in map attraction bodies

-- ## Steps
--
-- Leapfrog: move half of the way, change the velocity by the acceleration there, and move the other
-- half. The error of the energy does not grow with the number of steps.

def step [n] (dt: f32) (bodies: [n]body) : [n]body =
  let drift (b: body) : body =
    b with position = add b.position (scale (dt / 2) b.velocity)
  let kick (b: body) (a: vector) : body =
    b with velocity = add b.velocity (scale dt a)
  let halfway = map drift bodies
  in map drift (map2 kick halfway (accelerations halfway))

-- ==
-- entry: simulate
-- "1000" notest script input { (1i64, 0.01f32, galaxies 1000i64) }
-- "10000" notest script input { (1i64, 0.01f32, galaxies 10000i64) }
-- "100000" notest script input { (1i64, 0.01f32, galaxies 100000i64) }
entry simulate [n] (steps: i64) (dt: f32) (bodies: [n]body) : [n]body =
  loop bodies for _i < steps do step dt bodies

-- Bodies as rows of seven numbers: position, velocity, mass. Three bodies, and one alone, which moves on
-- as it did.

def body (row: [7]f32) : body =
  { position = {x = row[0], y = row[1], z = row[2]}
  , velocity = {x = row[3], y = row[4], z = row[5]}
  , mass = row[6]
  }

-- ==
-- entry: positions
-- nobench input { 10i64 0.1f32
--         [[1f32, 0f32, 0f32, 0f32, 0.5f32, 0f32, 1f32],
--          [-1f32, 0f32, 0f32, 0f32, -0.5f32, 0.1f32, 1f32],
--          [0f32, 2f32, 1f32, 0.3f32, 0f32, 0f32, 0.5f32]] }
-- output { [[0.8579877f32, 0.5199968f32, 0.0247092f32],
--           [-0.8619233f32, -0.4479184f32, 0.1119625f32],
--           [0.3078711f32, 1.8558433f32, 0.9266565f32]] }
-- nobench input { 4i64 0.25f32 [[1f32, 2f32, 3f32, 1f32, 0f32, -2f32, 5f32]] }
-- output { [[2f32, 2f32, 1f32]] }
-- nobench input { 1i64 0.1f32 empty([0][7]f32) } output { empty([0][3]f32) }
entry positions [n] (steps: i64) (dt: f32) (rows: [n][7]f32) : [n][3]f32 =
  map (\b -> [b.position.x, b.position.y, b.position.z])
      (simulate steps dt (map body rows))

-- ## Galaxies
--
-- A galaxy is a heavy centre with light bodies around it, whose speed would keep them on circles if they
-- were alone. The second one is tilted. The two pass each other on opposite courses.

def galaxy (n: i64) (centre: vector) (course: vector) (tilt: f32) : [n]body =
  let golden_angle = f32.pi * (3 - f32.sqrt 5)
  let turned (v: vector) : vector =
    v with y = v.y * f32.cos tilt with z = v.y * f32.sin tilt
  let placed (position: vector) (velocity: vector) (mass: f32) : body =
    { position = add centre (turned position)
    , velocity = add course (turned velocity)
    , mass
    }
  let member i =
    let share_inside = f32.i64 i / f32.i64 n
    let radius = 0.25 + f32.sqrt share_inside
    let angle = golden_angle * f32.i64 i
    let mass_inside = 1 + 0.05 * share_inside
    let speed =
      radius * f32.sqrt mass_inside / (radius * radius + softening) ** 0.75
    in placed {x = radius * f32.cos angle, y = radius * f32.sin angle, z = 0}
              {x = -speed * f32.sin angle, y = speed * f32.cos angle, z = 0}
              (0.05 / f32.i64 n)
  in tabulate n (\i -> if i == 0 then placed zero zero 1 else member i)

entry galaxies (n: i64) : []body =
  galaxy (n / 2) {x = -3, y = -1.4, z = 0} {x = 0.5, y = 0, z = 0} 0
  ++ galaxy (n - n / 2) {x = 3, y = 1.4, z = 0} {x = -0.5, y = 0, z = 0} 1

-- ## What is kept
--
-- The total momentum does not change, and neither does the energy, up to the error of the method. Since
-- both sums may be near zero, their changes are relative to the magnitudes of the terms: the momenta,
-- and the kinetic energy.

def kinetic_energy [n] (bodies: [n]body) : f32 =
  f32.sum (map (\b -> b.mass * dot b.velocity b.velocity / 2) bodies)

def potential_energy [n] (bodies: [n]body) : f32 =
  let of_two i j =
    let way = sub bodies[i].position bodies[j].position
    in -bodies[i].mass * bodies[j].mass / f32.sqrt (dot way way + softening)
  in f32.sum (map (\i -> f32.sum (map (of_two i) (iota i))) (iota n))

def energy [n] (bodies: [n]body) : f32 =
  kinetic_energy bodies + potential_energy bodies

def magnitude (a: vector) : f32 = f32.sqrt (dot a a)

-- ==
-- entry: changes
-- nobench script input { (40i64, 0.02f32, galaxies 20i64) } output { 0f32 0f32 }
entry changes [n] (steps: i64) (dt: f32) (before: [n]body) : (f32, f32) =
  let after = simulate steps dt before
  let momenta = map (\b -> scale b.mass b.velocity)
  let total bodies = reduce_comm add zero (momenta bodies)
  let momentum_change = magnitude (sub (total after) (total before))
  let energy_change = f32.abs (energy after - energy before)
  in ( momentum_change / f32.sum (map magnitude (momenta before))
     , energy_change / kinetic_energy before
     )

-- > changes 200i64 0.02f32 (galaxies 1000i64)

-- ## A film
--
-- Bodies are dots of light. Those of the first galaxy are yellow, and those of the second are blue.
-- Where many of them are in one pixel, it is brighter.

def picture [n]
            (rows: i64)
            (columns: i64)
            (bodies: [n]body) : [rows][columns]u32 =
  let pixels_per_unit = f32.i64 columns / 10
  let pixel (b: body) : i64 =
    let row = i64.f32 (f32.i64 rows / 2 - b.position.y * pixels_per_unit)
    let column = i64.f32 (f32.i64 columns / 2 + b.position.x * pixels_per_unit)
    in if 0 <= row && row < rows && 0 <= column && column < columns
       then row * columns + column
       else -1
  let dots (bodies: []body) : [rows * columns]i64 =
    hist (+) 0 (rows * columns) (map pixel bodies) (map (const 1) bodies)
  let brightness (count: i64) : f32 = 1 - 0.2 ** f32.i64 count
  let colour first second =
    let (yellow, blue) = (brightness first, brightness second)
    let part (value: f32) = u32.f32 (255 * f32.min 1 value)
    in 0xff000000
       | part (yellow + 0.3 * blue) << 16
       | part (0.8 * yellow + 0.6 * blue) << 8
       | part (0.3 * yellow + blue)
  let (first, second) = (take (n / 2) bodies, drop (n / 2) bodies)
  in unflatten (map2 colour (dots first) (dots second))

entry film (n: i64)
           (frames: i64)
           (rows: i64)
           (columns: i64)
    : [frames][rows][columns]u32 =
  let bodies = galaxies n
  let (shown, _) =
    loop (shown, bodies) =
           (replicate frames (replicate rows (replicate columns 0)), bodies)
    for k < frames do
      (shown with [k] = picture rows columns bodies, simulate 4 0.02 bodies)
  in shown

-- > :brief :video film 1500i64 120i64 200i64 320i64;
-- alt: Two galaxies that pass through one another and throw out tails of stars
