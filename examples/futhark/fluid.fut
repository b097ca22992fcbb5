-- # Fluid
--
-- Smoke that is carried by a gas in a square box, by the method of Stam's *Stable Fluids* (1999). The
-- benchmark comes from Accelerate, and is one of the sixteen of *Futhark: Purely Functional
-- GPU-Programming with Nested Parallelism and In-Place Array Updates* (2017).
--
-- Most of the time goes into systems of linear equations, which are solved by iteration: each cell
-- reads its four neighbours in every iteration. (Stam overwrites cells as he goes; here all cells are
-- computed at once from the previous iteration, as on any parallel machine.) The paper's "20
-- iterations" are those of the solver, in one step of time.

-- | A number for each cell of the box, whose side has length 1.
type field [n] = [n][n]f32

-- | What is behind a wall, in relation to what is before it: 1 if a field goes on there as it is, and
-- -1 if it is to vanish at the wall. By the direction in which one crosses the wall.
type walls = {x: f32, y: f32}

-- Densities and pressures do not change across a wall. Of a velocity, the part that would go through
-- the wall vanishes.
def even : walls = {x = 1, y = 1}

def velocity_x : walls = {x = -1, y = 1}

def velocity_y : walls = {x = 1, y = -1}

type neighbours = {north: f32, south: f32, west: f32, east: f32}

def neighbours [n]
               (walls: walls)
               (f: field [n])
               (i: i64)
               (j: i64) : neighbours =
  let here = f[i, j]
  in { north = if i > 0 then f[i - 1, j] else walls.y * here
     , south = if i < n - 1 then f[i + 1, j] else walls.y * here
     , west = if j > 0 then f[i, j - 1] else walls.x * here
     , east = if j < n - 1 then f[i, j + 1] else walls.x * here
     }

-- ## The solver

-- | Solves `c * x - a * (the sum of the neighbours of x) = b` for x, by Jacobi's method.
def solve [n]
          (iterations: i64)
          (walls: walls)
          (a: f32)
          (c: f32)
          (b: field [n])
          (guess: field [n]) : field [n] =
  let relax (x: field [n]) : field [n] =
    tabulate_2d n n (\i j ->
      let at = neighbours walls x i j
      in (b[i, j]
          + a * (at.north + at.south + at.west + at.east))
         / c)
  in loop x = guess for _i < iterations do relax x

-- | Spreads a field out, as heat does in a time `dt`. The equations are about the state after that time
-- (an implicit method), so no step is too large to be stable.
def diffuse [n]
            (iterations: i64)
            (walls: walls)
            (rate: f32)
            (dt: f32)
            (f: field [n]) : field [n] =
  let a = dt * rate * f32.i64 n ** 2
  in solve iterations walls a (1 + 4 * a) f f

-- ## Transport

type velocity [n] = {x: field [n], y: field [n]}

-- | The value at any place, by those of the cells around it. Places are counted in cells.
def interpolate [n] (walls: walls) (f: field [n]) (y: f32) (x: f32) : f32 =
  let (low_y, low_x) = (f32.floor y, f32.floor x)
  let (up, right) = (y - low_y, x - low_x)
  let (i, j) = (i64.f32 low_y, i64.f32 low_x)
  let at i j =
    let inside k = i64.max 0 (i64.min (n - 1) k)
    let factor wall k = if k == inside k then 1 else wall
    in factor walls.y i * factor walls.x j * f[inside i, inside j]
  in (1 - up) * ((1 - right) * at i j + right * at i (j + 1))
     + up * ((1 - right) * at (i + 1) j + right * at (i + 1) (j + 1))

-- | Moves a field along with the gas: what arrives in a cell is what was upstream, or at the wall if
-- that is beyond it.
def advect [n]
           (walls: walls)
           (dt: f32)
           (v: velocity [n])
           (f: field [n])
    : field [n] =
  let upstream place speed =
    f32.max (-0.5)
            (f32.min (f32.i64 n - 0.5)
                     (f32.i64 place - dt * f32.i64 n * speed))
  in tabulate_2d n n (\i j ->
    interpolate walls
                f
                (upstream i v.y[i, j])
                (upstream j v.x[i, j]))

-- | The nearest flow without divergence, which neither compresses nor expands the gas: the gradient of a
-- pressure is subtracted.
def project [n] (iterations: i64) (v: velocity [n]) : velocity [n] =
  let half_cells = f32.i64 n / 2
  let divergence =
    tabulate_2d n n (\i j ->
      let by_x = neighbours velocity_x v.x i j
      let by_y = neighbours velocity_y v.y i j
      in by_x.east - by_x.west + by_y.south - by_y.north)
  let sources = map (map (/ (-2 * f32.i64 n))) divergence
  let pressure =
    solve iterations even 1 4 sources (replicate n (replicate n 0))
  let at i j = neighbours even pressure i j
  in { x =
         tabulate_2d n n (\i j ->
           let p = at i j
           in v.x[i, j] - half_cells * (p.east - p.west))
     , y =
         tabulate_2d n n (\i j ->
           let p = at i j
           in v.y[i, j] - half_cells * (p.south - p.north))
     }

-- ## A step

type gas [n] = {velocity: velocity [n], smoke: field [n]}

type constants = {iterations: i64, dt: f32, viscosity: f32, diffusion: f32}

def step [n] (c: constants) (g: gas [n]) : gas [n] =
  let project v = project c.iterations v
  let spread walls f = diffuse c.iterations walls c.viscosity c.dt f
  let v = g.velocity
  let v = project {x = spread velocity_x v.x, y = spread velocity_y v.y}
  let v =
    project { x = advect velocity_x c.dt v v.x
            , y = advect velocity_y c.dt v v.y
            }
  let smoke = diffuse c.iterations even c.diffusion c.dt g.smoke
  in {velocity = v, smoke = advect even c.dt v smoke}

-- | The velocity in both directions and the density of the smoke after so many steps.
-- ==
-- entry: simulate
-- nobench input { 1i64 2i64 0.1f32 0.05f32 0.02f32
--         [[0.1f32, 0.2f32, 0.0f32], [0.0f32, 0.3f32, -0.2f32], [0.1f32, 0.0f32, 0.4f32]]
--         [[0.0f32, 0.1f32, 0.5f32], [0.2f32, 0.0f32, 0.1f32], [0.0f32, -0.3f32, 0.2f32]]
--         [[1.0f32, 0.0f32, 0.0f32], [0.0f32, 2.0f32, 0.0f32], [0.0f32, 0.0f32, 3.0f32]] }
-- output { [[0.021360f32, 0.138681f32, 0.027305f32], [-0.052123f32, 0.147429f32, -0.150025f32], [0.101408f32, -0.066071f32, 0.178963f32]]
--          [[-0.039958f32, 0.036319f32, 0.248005f32], [0.095378f32, 0.029009f32, -0.010406f32], [-0.024919f32, -0.142051f32, 0.112497f32]]
--          [[0.955970f32, 0.086617f32, 0.002634f32], [0.101944f32, 1.774808f32, 0.090212f32], [0.002256f32, 0.137260f32, 2.660699f32]] }
-- nobench input { 3i64 5i64 0.1f32 0.05f32 0.02f32
--         [[0.0f32, 0.0f32], [0.0f32, 0.0f32]]
--         [[0.0f32, 0.0f32], [0.0f32, 0.0f32]]
--         [[0.5f32, 0.5f32], [0.5f32, 0.5f32]] }
-- output { [[0.0f32, 0.0f32], [0.0f32, 0.0f32]]
--          [[0.0f32, 0.0f32], [0.0f32, 0.0f32]]
--          [[0.5f32, 0.5f32], [0.5f32, 0.5f32]] }
-- nobench input { 2i64 5i64 0.1f32 0.05f32 0.02f32 [[0.0f32]] [[0.0f32]] [[3.0f32]] }
-- output { [[0.0f32]] [[0.0f32]] [[3.0f32]] }
-- nobench input { 2i64 5i64 0.1f32 0.05f32 0.02f32 empty([0][0]f32) empty([0][0]f32) empty([0][0]f32) }
-- output { empty([0][0]f32) empty([0][0]f32) empty([0][0]f32) }
-- "300x300" notest script input { input 1i64 20i64 300i64 }
-- "1000x1000" notest script input { input 1i64 20i64 1000i64 }
-- "3000x3000" notest script input { input 1i64 20i64 3000i64 }
entry simulate [n]
               (steps: i64)
               (iterations: i64)
               (dt: f32)
               (viscosity: f32)
               (diffusion: f32)
               (x: field [n])
               (y: field [n])
               (smoke: field [n]) : (field [n], field [n], field [n]) =
  let constants = {iterations, dt, viscosity, diffusion}
  let start: gas [n] = {velocity = {x, y}, smoke}
  let end = loop g = start for _i < steps do step constants g
  in (end.velocity.x, end.velocity.y, end.smoke)

-- ## A box of whirls

-- | How many whirls there are in a row.
def whirls : f32 = 6

-- | Gas in whirls that turn in alternating directions, and smoke in the middle of the box. Without
-- viscosity such a flow would go on for ever.
def whirling (speed: f32) (n: i64) : *gas [n] =
  let place i = (f32.i64 i + 0.5) / f32.i64 n
  let sine x = f32.sin (whirls * f32.pi * x)
  let cosine x = f32.cos (whirls * f32.pi * x)
  let disc y x =
    let radius = f32.sqrt ((x - 0.5) ** 2 + (y - 0.5) ** 2)
    in 1 / (1 + f32.exp (80 * (radius - 0.3)))
  let over f = tabulate_2d n n (\i j -> f (place i) (place j))
  in { velocity =
         { x = over (\y x -> speed * sine x * cosine y)
         , y = over (\y x -> -speed * cosine x * sine y)
         }
     , smoke = over disc
     }

def air (iterations: i64) : constants =
  {iterations, dt = 0.02, viscosity = 1e-5, diffusion = 1e-5}

entry input (steps: i64)
            (iterations: i64)
            (n: i64)
    : (i64, i64, f32, f32, f32, field [n], field [n], field [n]) =
  let air = air iterations
  let start = whirling 1 n
  in ( steps
     , iterations
     , air.dt
     , air.viscosity
     , air.diffusion
     , start.velocity.x
     , start.velocity.y
     , start.smoke
     )

-- Diffusion keeps the amount of smoke, to the last digits. Transport takes what is upstream whether or
-- not another cell takes it too, and keeps the amount only as well as the solver gets rid of
-- divergence.

-- | How much smoke there is after so many steps, in relation to what there was.
-- ==
-- entry: smoke_kept
-- nobench input { 0.0f32 20i64 3i64 16i64 } output { 1.0f32 }
-- nobench input { 0.01f32 20i64 2i64 16i64 } output { 1.0f32 }
entry smoke_kept (speed: f32) (iterations: i64) (steps: i64) (n: i64) : f32 =
  let start = whirling speed n
  let end = loop g = start for _i < steps do step (air iterations) g
  in f32.sum (flatten end.smoke) / f32.sum (flatten start.smoke)

-- > smoke_kept 1f32 20i64 50i64 128i64

-- > smoke_kept 1f32 60i64 50i64 128i64

-- | The whirls in motion.
entry animation (frames: i64) (iterations: i64) (n: i64) : [frames][n][n]f32 =
  let start = (whirling 1 n, replicate frames (replicate n (replicate n 0)))
  let (_, images) =
    loop (g, images) = start
    for i < frames do
      (step (air iterations) g, images with [i] = g.smoke)
  in images

-- > :brief :video animation 60i64 60i64 128i64;
-- alt: Smoke that is carried around in a box
