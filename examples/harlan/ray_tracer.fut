-- # A ray tracer
--
-- Objects are functions: an object takes a ray and returns where the ray meets it. A scene is an array of such functions.
-- This is the program of section 6.1 of Holk, Newton, Siek and Lumsdaine, *Region-based Memory Management for GPU
-- Programming Languages* (OOPSLA 2014, figure 3), with a light that casts shadows and a floor for them to fall on. It
-- needs arrays of closures, closures in closures, and the application of all of them to every ray, in parallel.

type vector = {x: f32, y: f32, z: f32}

def (+^) (a: vector) (b: vector) : vector =
  {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def (-^) (a: vector) (b: vector) : vector =
  {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}

def (/^) (a: vector) (b: vector) : vector =
  {x = a.x / b.x, y = a.y / b.y, z = a.z / b.z}

def scale (k: f32) (a: vector) : vector =
  {x = k * a.x, y = k * a.y, z = k * a.z}

def dot (a: vector) (b: vector) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

def unit (a: vector) : vector = scale (1 / f32.sqrt (dot a a)) a

-- ## Objects
--
-- Where a ray meets an object is given as a distance, which is how often the ray's direction fits
-- between its source and that point. So the distance remains the same when ray and object are scaled
-- together. The normal may be of any length.

type ray = {source: vector, direction: vector}

type meeting = #miss | #hit {distance: f32, normal: vector, colour: vector}

type^ object = ray -> meeting

def along (ray: ray) (distance: f32) : vector =
  ray.source +^ scale distance ray.direction

-- | Anything nearer than this is the surface on which the ray starts: no surface casts a shadow on itself.
def too_near : f32 = 1e-3

-- | A sphere of radius 1 around the origin.
def sphere (colour: vector) : object =
  \ray ->
    let a = dot ray.direction ray.direction
    let b = dot ray.source ray.direction
    let c = dot ray.source ray.source - 1
    let discriminant = b * b - a * c
    let root = f32.sqrt discriminant
    let entered = (-b - root) / a
    let left = (-b + root) / a
    let distance = if entered > too_near then entered else left
    in if discriminant < 0 || distance <= too_near
       then #miss
       else #hit {distance, normal = along ray distance, colour}

-- | A plane of squares of two colours.
def floor (height: f32) : object =
  \ray ->
    let distance = (height - ray.source.y) / ray.direction.y
    let place = along ray distance
    let square = i32.f32 (f32.floor place.x) + i32.f32 (f32.floor place.z)
    let grey = if square % 2 == 0 then 0.9 else 0.5
    in if ray.direction.y == 0 || distance <= too_near
       then #miss
       else #hit { distance
                 , normal = {x = 0, y = 1, z = 0}
                 , colour = {x = grey, y = grey, z = grey}
                 }

-- Objects out of objects. These change the ray before the object sees it.

def translated (by: vector) (object: object) : object =
  \ray -> object (ray with source = ray.source -^ by)

def scaled (by: vector) (object: object) : object =
  \ray ->
    match object {source = ray.source /^ by, direction = ray.direction /^ by}
    case #miss -> #miss
    case #hit h -> #hit (h with normal = h.normal /^ by)

-- The distances of four objects on a ray, or -1 for a miss: the unit sphere, one of radius 2 at
-- (0, 0, 5), one that is moved there first and then scaled, so that it ends up at (0, 0, 10), and a
-- floor at -1.

-- ==
-- entry: probe
-- nobench input { [0f32, 0f32, -4f32] [0f32, 0f32, 1f32] } output { [3f32, 7f32, 12f32, -1f32] }
-- nobench input { [0f32, 0f32, 0f32] [0f32, 0f32, 2f32] } output { [0.5f32, 1.5f32, 4f32, -1f32] }
-- nobench input { [0f32, 1.2f32, 5f32] [0f32, -0.5f32, 0f32] } output { [-1f32, 6.4f32, -1f32, 4.4f32] }
-- nobench input { [0f32, 0f32, 0f32] [-1f32, 1f32, 0f32] } output { [0.70710677f32, -1f32, -1f32, -1f32] }
entry probe (source: [3]f32) (direction: [3]f32) : []f32 =
  let vector (v: [3]f32) : vector = {x = v[0], y = v[1], z = v[2]}
  let white = vector [1, 1, 1]
  let twice = vector [2, 2, 2]
  let away = vector [0, 0, 5]
  let objects =
    [ sphere white
    , translated away (scaled twice (sphere white))
    , scaled twice (translated away (sphere white))
    , floor (-1)
    ]
  let distance (object: object) : f32 =
    match object {source = vector source, direction = vector direction}
    case #miss -> -1
    case #hit h -> h.distance
  in map distance objects

-- > probe [0f32, 0f32, -4f32] [0f32, 0f32, 1f32]

-- ## Light
--
-- A ray has the colour of the nearest object that it meets. That is darker where the surface turns away
-- from the light, and where another object stands between. The distance is hazy.

def nearer (a: meeting) (b: meeting) : meeting =
  match (a, b)
  case (#miss, _) -> b
  case (_, #miss) -> a
  case (#hit h, #hit k) -> if h.distance <= k.distance then a else b

def first_meeting [n] (scene: [n]object) (ray: ray) : meeting =
  reduce nearer #miss (map (\object -> object ray) scene)

def is_dark [n] (scene: [n]object) (to_light: ray) : bool =
  let between (object: object) : bool =
    match object to_light
    case #miss -> false
    case #hit h -> h.distance < 1
  in any between scene

def light : vector = {x = -8, y = 14, z = -4}

def sky : vector = {x = 0.75, y = 0.85, z = 1}

#[inline]
def colour [n] (scene: [n]object) (ray: ray) : vector =
  match first_meeting scene ray
  case #miss -> sky
  case #hit h ->
    let place = along ray h.distance
    let to_light = {source = place, direction = light -^ place}
    let facing = dot (unit h.normal) (unit to_light.direction)
    let brightness =
      if is_dark scene to_light then 0.2 else 0.2 + 0.8 * f32.max 0 facing
    let clearness = f32.exp (-h.distance / 40)
    in scale (clearness * brightness) h.colour +^ scale (1 - clearness) sky

-- ## A picture
--
-- A ray for each pixel, from the eye through a window at distance 1.

def pixel (c: vector) : u32 =
  let part (value: f32) = u32.f32 (255 * f32.min 1 value)
  in 0xff000000 | part c.x << 16 | part c.y << 8 | part c.z

#[inline]
def colours [n]
            (scene: [n]object)
            (eye: vector)
            (height: i64)
            (width: i64)
    : [height][width]vector =
  let window i j : vector =
    { x = (2 * f32.i64 j + 1) / f32.i64 width - 1
    , y = (f32.i64 height - 2 * f32.i64 i - 1) / f32.i64 width
    , z = 1
    }
  in tabulate_2d height width (\i j ->
    colour scene {source = eye, direction = unit (window i j)})

def picture [n]
            (scene: [n]object)
            (eye: vector)
            (height: i64)
            (width: i64)
    : [height][width]u32 =
  map (map pixel) (colours scene eye height width)

-- ## A scene
--
-- The paper measures 100 spheres at random that are scaled and translated. Half of them are scaled
-- first and the other half are translated first. Either these kinds alternate in the array, or they
-- come one after the other, which might suit devices that execute in lockstep. The picture is the
-- same.

-- | A pseudorandom number from 0 to 1: the `i`-th of the sequence for a seed.
def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  let x = x ^ (x >> 15)
  in f32.u32 (x >> 8) * (1 / 16777216)

def random_sphere (i: i64) : object =
  let between seed low high = low + random seed i * (high - low)
  let size =
    {x = between 1 0.3 0.9, y = between 2 0.3 0.9, z = between 3 0.3 0.9}
  let place =
    {x = between 4 (-7) 7, y = size.y + 4 * random 5 i ** 3, z = between 6 4 18}
  let colour =
    {x = between 7 0.2 1, y = between 8 0.2 1, z = between 9 0.2 1}
  in if i % 2 == 0
     then translated place (scaled size (sphere colour))
     else scaled size (translated (place /^ size) (sphere colour))

#[inline]
def scene_of [n] (numbers: [n]i64) : []object =
  [floor 0] ++ map random_sphere numbers

def eye : vector = {x = 0, y = 2.5, z = -3}

-- ==
-- entry: render
-- "400x300, interleaved" notest input { false 100i64 300i64 400i64 }
-- "400x300, sorted" notest input { true 100i64 300i64 400i64 }
-- "1600x1200, interleaved" notest input { false 100i64 1200i64 1600i64 }
-- "1600x1200, sorted" notest input { true 100i64 1200i64 1600i64 }
-- nobench input { false 0i64 1i64 1i64 } output { [[4290763007u32]] }
entry render (sorted: bool)
             (spheres: i64)
             (height: i64)
             (width: i64)
    : [height][width]u32 =
  let half = (spheres + 1) / 2
  let number i =
    if !sorted then i else if i < half then 2 * i else 2 * (i - half) + 1
  in picture (scene_of (map number (iota spheres))) eye height width

-- ==
-- entry: same_picture
-- nobench input { 10i64 9i64 12i64 } output { true }
entry same_picture (spheres: i64) (height: i64) (width: i64) : bool =
  let same =
    map2 (==)
         (flatten (render false spheres height width))
         (flatten (render true spheres height width))
  in and same

-- ## Smooth edges
--
-- One ray for a pixel makes edges jagged. The picture here has the mean of several rays in each pixel, which are the pixels of
-- a larger picture.

-- ==
-- entry: smooth
-- nobench input { 1i64 0i64 1i64 1i64 } output { [[4290763007u32]] }
entry smooth (factor: i64)
             (spheres: i64)
             (height: i64)
             (width: i64)
    : [height][width]u32 =
  let scene = scene_of (iota spheres)
  let rays = colours scene eye (height * factor) (width * factor)
  let ray i j k = rays[i * factor + k / factor, j * factor + k % factor]
  let count = factor * factor
  let mean i j =
    scale (1 / f32.i64 count)
          (reduce (+^) {x = 0, y = 0, z = 0} (tabulate count (ray i j)))
  in tabulate_2d height width (\i j -> pixel (mean i j))

-- > :brief :img smooth 3i64 100i64 900i64 1600i64;
-- alt: A hundred coloured ellipsoids above a chequered floor, with shadows on each other and on the floor
