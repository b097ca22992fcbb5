-- # LavaMD
--
-- The forces between particles in a large room that is divided into boxes: the particles in the same box and in the boxes
-- around it, 27 in all, act on a particle. This is the program LavaMD of Rodinia, one of the sixteen benchmarks of the
-- Futhark paper (PLDI 2017), taken from a code for molecular dynamics.
--
-- Boxes at the walls have fewer neighbours, down to 8 in the corners. In Norn the lists of neighbours simply have different
-- lengths: they are an irregular array.

type vector = {x: f32, y: f32, z: f32}

type particle = {at: vector, charge: f32}

-- | What acts on a particle: the potential and the force.
type action = {potential: f32, force: vector}

def dot (a: vector) (b: vector) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

def scale (k: f32) (a: vector) : vector =
  {x = k * a.x, y = k * a.y, z = k * a.z}

def add (a: vector) (b: vector) : vector =
  {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def sub (a: vector) (b: vector) : vector =
  {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}

def nothing : action = {potential = 0, force = {x = 0, y = 0, z = 0}}

def both (a: action) (b: action) : action =
  {potential = a.potential + b.potential, force = add a.force b.force}

-- The potential falls off as a bell with the distance r: q exp(-α² r²), where α is a half. The force is its slope.

def alpha : f32 = 0.5

def act (on: particle) (by: particle) : action =
  let way = on.at `sub` by.at
  let potential = by.charge * f32.exp (-alpha * alpha * dot way way)
  in {potential, force = scale (2 * alpha * alpha * potential) way}

-- | The neighbours of a box, itself among them. Boxes are numbered as the cells of a cube with so many along each side.
def neighbours (side: i64) (box: i64) : []i64 =
  let around i = filter (\j -> 0 <= j && j < side) [i - 1, i, i + 1]
  let planes = around (box / (side * side))
  let rows = around (box / side % side)
  let columns = around (box % side)
  let number z y x = (z * side + y) * side + x
  in flatten_3d (map (\z -> map (\y -> map (number z y) columns) rows) planes)

-- | What acts on each particle of each box.
def actions [boxes] [n]
            (neighbours: [boxes][?]i64)
            (particles: [boxes][n]particle) : [boxes][n]action =
  let from on box = reduce_comm both nothing (map (act on) particles[box])
  let on_box near box =
    map (\on -> reduce_comm both nothing (map (from on) near)) box
  in map2 (\near box -> on_box near box) neighbours particles

-- | The potential at each particle and the three components of the force on it.
-- ==
-- entry: forces
-- nobench input { 1i64 [[0.0f32, 3.0f32]] [[0.0f32, 0.0f32]] [[0.0f32, 4.0f32]] [[1000.0f32, 500.0f32]] }
-- output { [[1000.965227f32, 501.930454f32]] [[-1.447841f32, 2.895681f32]] [[0.0f32, 0.0f32]]
--          [[-1.930454f32, 3.860908f32]] }
-- nobench script input { input 2i64 0i64 }
-- output { empty([8][0]f32) empty([8][0]f32) empty([8][0]f32) empty([8][0]f32) }
-- "3 x 3 x 3" notest script input { input 3i64 100i64 }
-- "5 x 5 x 5" notest script input { input 5i64 100i64 }
-- "10 x 10 x 10" notest script input { input 10i64 100i64 }
entry forces [boxes] [n]
             (side: i64)
             (xs: [boxes][n]f32)
             (ys: [boxes][n]f32)
             (zs: [boxes][n]f32)
             (charges: [boxes][n]f32)
    : ([boxes][n]f32, [boxes][n]f32, [boxes][n]f32, [boxes][n]f32) =
  let particle x y z charge : particle = {at = {x, y, z}, charge}
  let particles = map4 (map4 particle) xs ys zs charges
  let result = actions (map (neighbours side) (iota boxes)) particles
  in ( map (map (.potential)) result
     , map (map (.force.x)) result
     , map (map (.force.y)) result
     , map (map (.force.z)) result
     )

-- The same without lists of neighbours: every particle goes through all others, and skips those whose box is too far away.

-- | How much the potentials differ from that, and how much the forces differ in the direction of z.
-- ==
-- entry: error
-- nobench script input { input 1i64 3i64 } output { 0.0f32 0.0f32 }
-- nobench script input { input 3i64 2i64 } output { 0.0f32 0.0f32 }
entry error [boxes] [n]
            (side: i64)
            (xs: [boxes][n]f32)
            (ys: [boxes][n]f32)
            (zs: [boxes][n]f32)
            (charges: [boxes][n]f32) : (f32, f32) =
  let (potentials, _, _, in_z) = forces side xs ys zs charges
  let particle i j : particle =
    {at = {x = xs[i, j], y = ys[i, j], z = zs[i, j]}, charge = charges[i, j]}
  let near a b =
    i64.abs (a % side - b % side) <= 1
    && i64.abs (a / side % side - b / side % side) <= 1
    && i64.abs (a / side / side - b / side / side) <= 1
  let expected i j =
    loop sum = nothing for k < boxes * n do
      let (i', j') = (k / n, k % n)
      in if near i i'
         then both sum (act (particle i j) (particle i' j'))
         else sum
  let difference value i j = f32.abs (value (expected i j) i j)
  let greatest value =
    f32.maximum (flatten (tabulate_2d boxes n (difference value)))
  in ( greatest (\a i j -> a.potential - potentials[i, j])
     , greatest (\a i j -> a.force.z - in_z[i, j])
     )

-- Two particles act on each other with opposite forces, so all forces together, each times the charge it acts on, are
-- zero.

-- | The sum of all forces in the direction of x, in relation to the sum of their sizes.
-- ==
-- entry: imbalance
-- nobench script input { input 2i64 4i64 } output { 0.0f32 }
-- nobench script input { input 4i64 1i64 } output { 0.0f32 }
entry imbalance [boxes] [n]
                (side: i64)
                (xs: [boxes][n]f32)
                (ys: [boxes][n]f32)
                (zs: [boxes][n]f32)
                (charges: [boxes][n]f32) : f32 =
  let (_, in_x, _, _) = forces side xs ys zs charges
  let all = map2 (*) (flatten in_x) (flatten charges)
  in f32.sum all / f32.sum (map f32.abs all)

-- The input: particles everywhere in a cube of 10 x 10 x 10 boxes, 100 in each. A box is five units wide, a distance at
-- which there is little left of the potential. In Rodinia too the particles and their charges are random numbers.

def box_width : f32 = 5

-- | The `i`-th of a sequence of numbers from 0 to 1 that look random.
def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in f32.u32 ((x ^ (x >> 15)) >> 8) / 16777216

entry input (side: i64) (n: i64) : (i64, [][]f32, [][]f32, [][]f32, [][]f32) =
  let boxes = side * side * side
  let along corner seed =
    tabulate_2d boxes n (\i j ->
      box_width
      * (f32.i64 (corner i) + random seed (i * n + j)))
  in ( side
     , along (% side) 1
     , along (\i -> i / side % side) 2
     , along (/ (side * side)) 3
     , tabulate_2d boxes n (\i j -> 0.1 + 0.9 * random 4 (i * n + j))
     )

-- > forces 1i64 [[0f32, 1f32]] [[0f32, 0f32]] [[0f32, 0f32]] [[1f32, 1f32]]

-- A room of 6 x 6 x 6 boxes, seen from above: the mean potential at the particles that lie above one another. It is weaker
-- near the walls, beyond which there are no others.

entry picture [boxes] [n]
              (side: i64)
              (xs: [boxes][n]f32)
              (ys: [boxes][n]f32)
              (zs: [boxes][n]f32)
              (charges: [boxes][n]f32) : [][]f32 =
  let (potentials, _, _, _) = forces side xs ys zs charges
  let cells = 8 * side
  let cell x y =
    let at v = i64.f32 (v / box_width * 8)
    in at y * cells + at x
  let places = map2 cell (flatten xs) (flatten ys)
  let total values = hist (+) 0 (cells * cells) places values
  let sums = total (flatten potentials)
  let counts = total (map (const 1) places)
  let means = map2 (\sum count -> sum / f32.max 1 count) sums counts
  let greatest = f32.maximum means
  let pixel i j = means[i / 6 * cells + j / 6] / greatest
  in tabulate_2d (cells * 6) (cells * 6) pixel

-- > :brief :img picture (input 6i64 100i64);
-- alt: The potential in shades of grey, which is weaker near the walls
