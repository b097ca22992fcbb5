-- # N-body
--
-- Bodies that attract one another. Each is pulled by all of them, so that a step takes time
-- proportional to the square of their number. The benchmark comes from Accelerate, and is one of the
-- sixteen of *Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place Array
-- Updates* (2017).
--
-- For each body, the program adds up the pulls of all bodies. On a CPU, the sum becomes a loop over
-- vectors of bodies; on a GPU, the threads of a group read the bodies together, a tile at a time.

module vector = {
  type t = {x: f32, y: f32, z: f32}

  def zero : t = {x = 0, y = 0, z = 0}

  def add (a: t) (b: t) : t = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

  def sub (a: t) (b: t) : t = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}

  def scale (k: f32) (a: t) : t = {x = k * a.x, y = k * a.y, z = k * a.z}

  def dot (a: t) (b: t) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

  def sum [n] (vs: [n]t) : t = reduce_comm add zero vs
}

type body = {position: vector.t, velocity: vector.t, mass: f32}

-- Keeps the force finite where two bodies meet, and that of a body on itself zero. It is the square
-- of a length.
def softening : f32 = 1e-4

-- | What one body does to something at a place. The unit of mass is such that the constant of
-- gravitation is one.
def acceleration (on: vector.t) (by: vector.t, mass: f32) : vector.t =
  let way = by `vector.sub` on
  let square = vector.dot way way + softening
  in vector.scale (mass / (square * f32.sqrt square)) way

def accelerations [n] (bodies: [n]body) : [n]vector.t =
  let pulling = map (\b -> (b.position, b.mass)) bodies
  in map (\b -> vector.sum (map (acceleration b.position) pulling)) bodies

-- | One step in time: velocities first, and then places by the new velocities. In this order the
-- energy does not drift.
def step [n] (dt: f32) (bodies: [n]body) : [n]body =
  let move (b: body) (a: vector.t) : body =
    let velocity = vector.add b.velocity (vector.scale dt a)
    in b with velocity = velocity
         with position = vector.add b.position (vector.scale dt velocity)
  in map2 move bodies (accelerations bodies)

def steps [n] (count: i64) (dt: f32) (bodies: [n]body) : [n]body =
  loop bodies for _i < count do step dt bodies

-- The bodies of the benchmark form a disc that turns about a heavy centre.

-- | A number from 0 to 1 that looks random: the i-th of the sequence that a seed names.
def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in f32.u32 ((x ^ (x >> 15)) >> 8) / 16777216

-- | The central mass, and how much all others weigh together.
def centre : f32 = 20

def others : f32 = 5

-- | A disc of bodies on orbits that are nearly circles. Body 0 is the centre.
def disc (n: i64) : [n]body =
  let orbiting i : body =
    let radius = 0.5 + 4.5 * f32.sqrt (random 1 i)
    let angle = 2 * f32.pi * random 2 i
    let speed = f32.sqrt (centre / radius)
    let (sine, cosine) = (f32.sin angle, f32.cos angle)
    in { position =
           { x = radius * cosine
           , y = radius * sine
           , z = 0.2 * (random 3 i - 0.5)
           }
       , velocity = {x = -speed * sine, y = speed * cosine, z = 0}
       , mass = others / f32.i64 n
       }
  in tabulate n (\i ->
    if i == 0
    then { position = vector.zero
         , velocity = vector.zero
         , mass = centre
         }
    else orbiting i)

-- Values from outside are arrays of numbers.

def from_row (r: [3]f32) : vector.t = {x = r[0], y = r[1], z = r[2]}

def to_row (v: vector.t) : [3]f32 = [v.x, v.y, v.z]

entry input (count: i64) (n: i64) : (i64, f32, [n][3]f32, [n][3]f32, [n]f32) =
  let bodies = disc n
  in ( count
     , 0.01
     , map (\b -> to_row b.position) bodies
     , map (\b -> to_row b.velocity) bodies
     , map (.mass) bodies
     )

-- | Places and velocities after so many steps.
-- ==
-- entry: simulate
-- nobench input { 1i64 1.0f32 [[0.0f32, 0.0f32, 0.0f32], [3.0f32, 4.0f32, 0.0f32]] [[0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 1.0f32]] [1.0f32, 50.0f32] }
-- output { [[1.199993f32, 1.599990f32, 0.0f32], [2.976000f32, 3.968000f32, 1.0f32]] [[1.199993f32, 1.599990f32, 0.0f32], [-0.024000f32, -0.032000f32, 1.0f32]] }
-- nobench input { 3i64 0.1f32 [[0.0f32, 0.0f32, 0.0f32], [3.0f32, 4.0f32, 0.0f32], [-1.0f32, 2.0f32, 0.5f32], [1.0f32, 1.0f32, 1.0f32]] [[0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 1.0f32], [0.5f32, 0.0f32, 0.0f32], [0.0f32, -1.0f32, 0.25f32]] [1.0f32, 50.0f32, 2.0f32, 0.5f32] }
-- output { [[0.068819f32, 0.12302f32, 0.012862f32], [2.992013f32, 3.99361f32, 0.301087f32], [-0.704913f32, 2.055311f32, 0.484074f32], [1.080703f32, 0.871705f32, 1.004305f32]] [[0.34697f32, 0.618855f32, 0.069613f32], [-0.040315f32, -0.032282f32, 1.005071f32], [1.234797f32, 0.281794f32, -0.075083f32], [0.398333f32, -0.136685f32, -0.095987f32]] }
-- nobench input { 3i64 1.0f32 [[1.0f32, 2.0f32, 3.0f32]] [[1.0f32, 0.0f32, -1.0f32]] [5.0f32] }
-- output { [[4.0f32, 2.0f32, 0.0f32]] [[1.0f32, 0.0f32, -1.0f32]] }
-- nobench input { 3i64 1.0f32 empty([0][3]f32) empty([0][3]f32) empty([0]f32) }
-- output { empty([0][3]f32) empty([0][3]f32) }
-- "1000" notest script input { input 1i64 1000i64 }
-- "10000" notest script input { input 1i64 10000i64 }
-- "100000" notest script input { input 1i64 100000i64 }
entry simulate [n]
               (count: i64)
               (dt: f32)
               (positions: [n][3]f32)
               (velocities: [n][3]f32)
               (masses: [n]f32) : ([n][3]f32, [n][3]f32) =
  let start =
    map3 (\p v mass : body ->
            {position = from_row p, velocity = from_row v, mass})
         positions
         velocities
         masses
  let end = steps count dt start
  in unzip (map (\b -> (to_row b.position, to_row b.velocity)) end)

-- What two bodies do to each other is equal and opposite, so that all together keep their momentum.
-- A light body that circles a heavy one comes back after the time given by Kepler's third law,
-- corrected for the softening.

-- | How far the momentum of `n` bodies is from that at the start, in relation to the sum of the sizes
-- of all momenta.
-- ==
-- entry: momentum_drift
-- nobench input { 30i64 10i64 } output { 0.0f32 }
entry momentum_drift (n: i64) (count: i64) : f32 =
  let momenta bodies = map (\b -> vector.scale b.mass b.velocity) bodies
  let size v = f32.sqrt (vector.dot v v)
  let start = disc n
  let end = steps count 0.01 start
  let change = vector.sum (momenta end) `vector.sub` vector.sum (momenta start)
  in size change / f32.sum (map size (momenta start))

-- | Where a body is after so many steps that take one turn. It starts at (1, 0, 0).
-- ==
-- entry: one_turn
-- nobench input { 500i64 } output { [1.0f32, 0.0f32, 0.0f32] }
entry one_turn (count: i64) : [3]f32 =
  let speed = (1 + softening) ** (-0.75)
  let heavy: body = {position = vector.zero, velocity = vector.zero, mass = 1}
  let light: body =
    { position = {x = 1, y = 0, z = 0}
    , velocity = {x = 0, y = speed, z = 0}
    , mass = 0
    }
  let dt = 2 * f32.pi / speed / f32.i64 count
  in to_row (steps count dt [heavy, light])[1].position

-- The disc, seen from above. Each body adds some light to its pixel.

def size : i64 = 300

def picture [n] (bodies: [n]body) : [size][size]u32 =
  let pixel x = i64.f32 (f32.floor (f32.i64 size * (x + 6) / 12))
  let lights =
    reduce_by_index_2d
      (replicate size (replicate size 0))
      (+)
      0
      (map (\b -> (pixel b.position.y, pixel b.position.x))
           bodies)
      (replicate n 1f32)
  let colour light : u32 =
    let level = u32.f32 (255 * (1 - 0.4 ** light))
    in 0xff000000 | level << 16 | level << 8 | (level / 2 + 20)
  in map (map colour) lights

entry animation (frames: i64) (n: i64) : [frames][size][size]u32 =
  let (_, images) =
    loop (bodies, images) =
           (disc n, replicate frames (replicate size (replicate size 0)))
    for i < frames do
      (steps 4 0.01 bodies, images with [i] = picture bodies)
  in images

-- > :brief :video animation 100i64 2000i64;
-- alt: A disc of bodies that turns and gathers into clumps
