-- # Flow of a gas on an unstructured grid
--
-- The compressible Euler equations, solved by finite volumes: mass, momentum and energy flow over the faces of cells that
-- know their neighbours by number. This is the program CFD of Rodinia, one of the sixteen benchmarks of the Futhark paper
-- (PLDI 2017); the method is that of Corrigan, Camelli, Löhner and Wallin (Running unstructured grid based CFD solvers on
-- modern graphics hardware, 2009).
--
-- Each cell has four faces. Beyond a face is another cell, a wall, or the undisturbed stream.

type vector = {x: f32, y: f32, z: f32}

-- | What a cell holds per volume. The same type is used for what flows over a face.
type state = {density: f32, momentum: vector, energy: f32}

def dot (a: vector) (b: vector) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

def add (a: vector) (b: vector) : vector =
  {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def scale (k: f32) (a: vector) : vector =
  {x = k * a.x, y = k * a.y, z = k * a.z}

-- | `a + k b`.
def plus (a: state) (k: f32) (b: state) : state =
  { density = a.density + k * b.density
  , momentum = add a.momentum (scale k b.momentum)
  , energy = a.energy + k * b.energy
  }

-- The gas: air, in units in which the undisturbed stream has the pressure 1 and the speed of sound 1. The stream is faster
-- than sound.

def gamma : f32 = 1.4

def mach : f32 = 1.2

def stream : state =
  { density = gamma
  , momentum = {x = gamma * mach, y = 0, z = 0}
  , energy = 1 / (gamma - 1) + gamma * mach * mach / 2
  }

-- | A state, and what follows from it: the velocity, the pressure, and how fast a disturbance can travel, which is the
-- speed of the gas and that of sound. A cell computes this once for all of its neighbours.
type gas = {state: state, velocity: vector, pressure: f32, wave_speed: f32}

def gas (state: state) : gas =
  let velocity = scale (1 / state.density) state.momentum
  let pressure =
    (gamma - 1) * (state.energy - dot state.momentum velocity / 2)
  let wave_speed =
    f32.sqrt (dot velocity velocity)
    + f32.sqrt (gamma * pressure / state.density)
  in {state, velocity, pressure, wave_speed}

-- | What flows over a face with this normal, which is as long as the face is large.
def flux (normal: vector) (u: gas) : state =
  let volume = dot u.velocity normal
  in { density = volume * u.state.density
     , momentum =
         add (scale volume u.state.momentum) (scale u.pressure normal)
     , energy = volume * (u.state.energy + u.pressure)
     }

-- The flow over a face is the mean of the flows of the two sides. Between cells this alone would not be stable: a part of
-- the difference between the sides has to be levelled out. For a slender body a fifth of it is enough, as in Rodinia; the
-- blunt one below needs half.

def smoothing : f32 = 0.5

def mean_flux (normal: vector) (here: gas) (there: gas) : state =
  let half = scale 0.5 normal
  in plus (flux half here) 1 (flux half there)

def flux_between (normal: vector) (here: gas) (there: gas) : state =
  let size = f32.sqrt (dot normal normal)
  let levelled = 0.5 * smoothing * size * (here.wave_speed + there.wave_speed)
  let mean = mean_flux normal here there
  in plus (plus mean levelled here.state) (-levelled) there.state

-- | Only pressure acts on a wall.
def flux_at_wall (normal: vector) (here: gas) : state =
  {density = 0, momentum = scale here.pressure normal, energy = 0}

-- | The number of a neighbour may be one of these.
def wall : i32 = -1

def far : i32 = -2

type mesh [n] = {areas: [n]f32, neighbours: [n][4]i32, normals: [n][4]vector}

-- | What flows out of a cell.
def outflow [n] (mesh: mesh [n]) (cells: [n]gas) (i: i64) : state =
  let here = cells[i]
  let over k =
    let normal = mesh.normals[i, k]
    let neighbour = mesh.neighbours[i, k]
    in if neighbour == wall
       then flux_at_wall normal here
       else if neighbour == far
       then mean_flux normal here (gas stream)
       else flux_between normal here cells[i64.i32 neighbour]
  in plus (plus (plus (over 0) 1 (over 1)) 1 (over 2)) 1 (over 3)

-- | The time that a wave needs to cross half of a cell, over the area of the cell.
def local_step (area: f32) (u: state) : f32 =
  0.5 / (f32.sqrt area * (gas u).wave_speed)

-- | One step of the method of Runge and Kutta, in three stages. The length of the step, which may vary from cell to cell, is
-- given over the area of the cell.
def step [n] (mesh: mesh [n]) (lengths: [n]f32) (before: [n]state) : [n]state =
  loop cells = before for stage in [3, 2, 1] do
    let gases = map gas cells
    let next i = plus before[i] (-lengths[i] / stage) (outflow mesh gases i)
    in tabulate n next

-- | Steps towards the steady flow. Since only the steady flow matters, each cell takes as large a step as it can.
def run [n] (mesh: mesh [n]) (steps: i32) (start: [n]state) : [n]state =
  loop cells = start for _i < steps do
    step mesh (map2 local_step mesh.areas cells) cells

-- The grid of the paper, fvcorr.domn.193K, has 193,474 cells. This one is made up and has as many, in rings around a
-- cylinder. The inner faces of the first ring are the wall, and beyond the last ring, which need not be complete, is the
-- stream. Rings become wider outwards, so that cells are about as wide as long.

def on_circle (radius: f32) (part: f32) : vector =
  { x = radius * f32.cos (2 * f32.pi * part)
  , y = radius * f32.sin (2 * f32.pi * part)
  , z = 0
  }

-- | How many cells form a ring. The outer radius is then about 23 times the inner one.
def ring (cells: i64) : i64 = i64.f32 (f32.sqrt (2 * f32.i64 cells))

def growth (around: i64) : f32 = 1 + 2 * f32.pi / f32.i64 around

-- | In an unstructured grid, neighbours do not follow each other in memory. Here cells are shuffled within blocks of 1024
-- cells; the same function maps a place to its cell and a cell to its place.
def shuffle (cells: i64) (i: i64) : i64 =
  let block = i >> 10
  let x = u32.i64 block * 0x9e3779b1 + 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in if (block + 1) << 10 > cells
     then i
     else i ^ i64.u32 ((x ^ (x >> 12)) & 1023)

-- | The corners of a cell, counterclockwise: the faces between them lead to the cell before in the ring, outwards, to the
-- cell after, and inwards.
def corners (cells: i64) (cell: i64) : [4]vector =
  let around = ring cells
  let corner outwards after =
    on_circle (growth around ** f32.i64 (cell / around + outwards))
              (f32.i64 ((cell + after) % around) / f32.i64 around)
  in [corner 0 0, corner 1 0, corner 1 1, corner 0 1]

-- | A grid of so many cells; `inside` and `outside` say what is beyond the first and the last ring.
def grid (inside: i32) (outside: i32) (cells: i64) : mesh [cells] =
  let around = ring cells
  let normal (ends: [4]vector) k =
    let (a, b) = (ends[k], ends[(k + 1) % 4])
    in {x = b.y - a.y, y = a.x - b.x, z = 0}
  let area (ends: [4]vector) =
    let (a, b) =
      (ends[2] `add` scale (-1) ends[0], ends[3] `add` scale (-1) ends[1])
    in (a.x * b.y - a.y * b.x) / 2
  let neighbours cell =
    let in_ring i = cell / around * around + i % around
    let place i =
      if i < 0
      then inside
      else if i >= cells
      then outside
      else i32.i64 (shuffle cells i)
    in [ place (in_ring (cell + around - 1))
       , place (cell + around)
       , place (in_ring (cell + 1))
       , place (cell - around)
       ]
  let cell = map (shuffle cells) (iota cells)
  let ends = map (corners cells) cell
  in { areas = map area ends
     , neighbours = map neighbours cell
     , normals = map (\ends -> tabulate 4 (normal ends)) ends
     }

-- | The grid and the stream, as arrays of numbers.
entry input (steps: i32)
            (cells: i64)
    : (i32, [cells]f32, [cells][4]i32, [cells][4][3]f32) =
  let {areas, neighbours, normals} = grid wall far cells
  in (steps, areas, neighbours, map (map (\v -> [v.x, v.y, v.z])) normals)

-- | Starts with the stream everywhere. Gives density, momentum and energy of each cell.
-- ==
-- entry: solve
-- nobench script input { input 3i32 7i64 }
-- output { [1.327160f32, 1.688639f32, 1.327206f32, 1.385640f32, 1.428487f32, 1.378693f32, 1.392921f32]
--          [[1.611174f32, 0.003340f32, 0.0f32], [2.003335f32, -0.000358f32, 0.0f32], [1.610618f32, -0.003280f32, 0.0f32],
--           [1.656910f32, -0.004107f32, 0.0f32], [1.682324f32, 0.000050f32, 0.0f32], [1.646665f32, 0.005822f32, 0.0f32],
--           [1.668753f32, -0.003274f32, 0.0f32]]
--          [3.323260f32, 4.477416f32, 3.323470f32, 3.461419f32, 3.568786f32, 3.439110f32, 3.483625f32] }
-- nobench script input { input 3i32 0i64 } output { empty([0]f32) empty([0][3]f32) empty([0]f32) }
-- "1,935" notest script input { input 2000i32 1935i64 }
-- "19,347" notest script input { input 2000i32 19347i64 }
-- "193,474" notest script input { input 2000i32 193474i64 }
entry solve [n]
            (steps: i32)
            (areas: [n]f32)
            (neighbours: [n][4]i32)
            (normals: [n][4][3]f32) : ([n]f32, [n][3]f32, [n]f32) =
  let vector (v: [3]f32) : vector = {x = v[0], y = v[1], z = v[2]}
  let mesh = {areas, neighbours, normals = map (map vector) normals}
  let result = run mesh steps (replicate n stream)
  in ( map (.density) result
     , map (\u -> [u.momentum.x, u.momentum.y, u.momentum.z]) result
     , map (.energy) result
     )

-- Where nothing is in its way, the stream stays as it is: what flows into a cell flows out of it.

-- | The greatest change of the energy after some steps.
-- ==
-- entry: change_of_stream
-- nobench input { 3i32 300i64 } output { 0.0f32 }
entry change_of_stream (steps: i32) (cells: i64) : f32 =
  let result = run (grid far far cells) steps (replicate cells stream)
  in f32.maximum (map (\u -> f32.abs (u.energy - stream.energy)) result)

-- Between walls, neither mass nor energy is lost: what flows out of a cell flows into another. In this test the gas is at
-- rest and hot in one half, and all cells take equal steps.

-- | How much mass and energy change, in relation to what there is, and whether the gas moves.
-- ==
-- entry: losses
-- nobench input { 10i32 200i64 } output { 0.0f32 0.0f32 true }
-- nobench compiled input { 10i32 5000i64 } output { 0.0f32 0.0f32 true }
entry losses (steps: i32) (cells: i64) : (f32, f32, bool) =
  let mesh = grid wall wall cells
  let still energy : state =
    stream with momentum = {x = 0, y = 0, z = 0} with energy = energy
  let before = tabulate cells (\i -> still (if i < cells / 2 then 5 else 2))
  let time = f32.minimum (map2 (\a u -> a * local_step a u) mesh.areas before)
  let after =
    loop now = before for _i < steps do step mesh (map (time /) mesh.areas) now
  let total value states =
    f32.sum (map2 (\a u -> a * value u) mesh.areas states)
  let change value = f32.abs (total value after / total value before - 1)
  let speed u = f32.sqrt (dot (gas u).velocity (gas u).velocity)
  in (change (.density), change (.energy), f32.maximum (map speed after) > 0.1)

-- The pressure around the cylinder. The stream comes from the left; there is a shock in front of the cylinder, and little
-- pressure behind it.

entry picture (steps: i32) (cells: i64) : [][]u32 =
  let result = run (grid wall far cells) steps (replicate cells stream)
  let around = ring cells
  let (size, radius) = (300, 8)
  let colour p =
    let channel (x: f32) = u32.f32 (255 * f32.max 0 (f32.min 1 x))
    in channel (p - 1) << 16
       | channel (1 - f32.abs (p - 1)) << 8
       | channel (1 - p)
  let pixel row column =
    let along i = radius * (2 * (f32.i64 i + 0.5) / f32.i64 size - 1)
    let (x, y) = (along column, -along row)
    let part = f32.atan2 y x / (2 * f32.pi)
    let position =
      i64.f32 ((if part < 0 then part + 1 else part) * f32.i64 around)
    let outwards = f32.log (f32.hypot x y) / f32.log (growth around)
    let cell = i64.f32 outwards * around + i64.min position (around - 1)
    in if outwards < 0
       then 0xff000000
       else 0xff000000 | colour (gas result[shuffle cells cell]).pressure
  in tabulate_2d size size pixel

-- > :brief :img picture 600i32 10000i64;
-- alt: Air flows around a cylinder: high pressure in front of it in red, low pressure behind it in blue
