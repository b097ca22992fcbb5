-- # MRI-Q
--
-- Magnetic resonance imaging measures the Fourier transform of a body at places of one's choice, the
-- samples of *k*-space. To reconstruct a picture from samples that do not lie on a grid, one needs a
-- matrix Q that depends on those places only: for each voxel, the sum over all samples of a wave that
-- is weighted by the sample's strength. Computing it is most of the work. The benchmark comes from
-- Parboil, and is one of the sixteen of *Futhark: Purely Functional GPU-Programming with Nested
-- Parallelism and In-Place Array Updates* (2017), where it shows tiling: threads read the samples
-- together, a tile at a time.

type point = {x: f32, y: f32, z: f32}

-- | A place in k-space and the square of the absolute value of what the scanner emits there.
type sample = {place: point, strength: f32}

type complex = {re: f32, im: f32}

def add (a: complex) (b: complex) : complex =
  {re = a.re + b.re, im = a.im + b.im}

-- | What one sample contributes to one voxel.
def contribution (voxel: point) (s: sample) : complex =
  let turns = s.place.x * voxel.x + s.place.y * voxel.y + s.place.z * voxel.z
  let angle = 2 * f32.pi * turns
  in {re = s.strength * f32.cos angle, im = s.strength * f32.sin angle}

def q_of [k] (samples: [k]sample) (voxel: point) : complex =
  reduce_comm add {re = 0, im = 0} (map (contribution voxel) samples)

def points [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) : [n]point =
  map3 (\x y z -> {x, y, z}) xs ys zs

-- | The strengths of samples of which real and imaginary parts are given.
def strengths [k] (re: [k]f32) (im: [k]f32) : [k]f32 =
  map2 (\r i -> r * r + i * i) re im

-- At the origin all waves are at their crest, so that Q is there the sum of the strengths.

-- | Real and imaginary parts of Q, by the places of samples, the real and imaginary parts of what is
-- emitted there, and the places of voxels.
-- ==
-- entry: q
-- nobench input { [0.5f32, 1.0f32] [0.25f32, 0.0f32] [0.0f32, 2.0f32] [1.0f32, 0.0f32] [1.0f32, 3.0f32]
--         [0.0f32, 0.5f32, 0.1f32] [0.0f32, 0.0f32, 0.2f32] [0.0f32, 0.0f32, 0.3f32] }
-- output { [11.0f32, -9.0f32, -1.163119f32] [0.0f32, 2.0f32, -7.383938f32] }
-- nobench input { empty([0]f32) empty([0]f32) empty([0]f32) empty([0]f32) empty([0]f32)
--         [1.0f32] [2.0f32] [3.0f32] }
-- output { [0.0f32] [0.0f32] }
-- nobench input { [0.5f32] [0.25f32] [0.0f32] [1.0f32] [1.0f32]
--         empty([0]f32) empty([0]f32) empty([0]f32) }
-- output { empty([0]f32) empty([0]f32) }
-- "16x16x16, 512" notest script input { input 16i64 512i64 }
-- "32x32x32, 2048" notest script input { input 32i64 2048i64 }
-- "64x64x64, 2048" notest script input { input 64i64 2048i64 }
entry q [k] [v]
        (kx: [k]f32)
        (ky: [k]f32)
        (kz: [k]f32)
        (emitted_re: [k]f32)
        (emitted_im: [k]f32)
        (x: [v]f32)
        (y: [v]f32)
        (z: [v]f32) : ([v]f32, [v]f32) =
  let samples: [k]sample =
    map2 (\place strength -> {place, strength})
         (points kx ky kz)
         (strengths emitted_re emitted_im)
  in unzip (map (q_of samples >-> \c -> (c.re, c.im)) (points x y z))

-- The samples lie on spirals in planes, as a scanner takes them when its gradients turn, and are
-- weighted by how far apart the turns are. Lengths are such that the voxels fill a cube of side 1.

-- | The i-th of `k` places on `planes` spirals that reach out to a radius.
def spiral (k: i64) (planes: i64) (radius: f32) (i: i64) : point =
  let per_plane = i64.max 1 (k / planes)
  let plane = i64.min (planes - 1) (i / per_plane)
  let out = f32.sqrt (f32.i64 (i - plane * per_plane) / f32.i64 per_plane)
  let angle = 2 * f32.pi * radius / 2 * out
  in { x = radius * out * f32.cos angle
     , y = radius * out * f32.sin angle
     , z = f32.i64 plane - f32.i64 (planes - 1) / 2
     }

-- | The places of the voxels of a cube, row by row.
def grid (side: i64) : [side * side * side]point =
  let place i = f32.i64 i / f32.i64 side - 0.5
  in flatten_3d (tabulate_3d side side side (\i j k ->
    { x = place k
    , y = place j
    , z = place i
    }))

entry input (side: i64)
            (k: i64)
    : ( [k]f32
      , [k]f32
      , [k]f32
      , [k]f32
      , [k]f32
      , [side * side * side]f32
      , [side * side * side]f32
      , [side * side * side]f32
      ) =
  let places = tabulate k (spiral k 8 16)
  let voxels = grid side
  in ( map (.x) places
     , map (.y) places
     , map (.z) places
     , replicate k 1
     , replicate k 0.5
     , map (.x) voxels
     , map (.y) voxels
     , map (.z) voxels
     )

-- A slice of Q through the middle shows how the scanner sees a single point: a bright spot, and
-- around it the traces of the spiral.

-- | The absolute value of Q in the plane z = 0, from 0 to 1, on a scale of logarithms.
entry slice (side: i64) (k: i64) : [side][side]f32 =
  let samples: [k]sample =
    tabulate k (\i -> {place = spiral k 1 16 i, strength = 1})
  let place i = f32.i64 i / f32.i64 side - 0.5
  let brightness i j =
    let c = q_of samples {x = place j, y = place i, z = 0}
    let size = f32.sqrt (c.re * c.re + c.im * c.im)
    in f32.max 0 (1 + f32.log10 (size / f32.i64 k + 1e-9) / 3)
  in tabulate_2d side side brightness

-- > :brief :img slice 256i64 1024i64;
-- alt: Rings around a bright middle
