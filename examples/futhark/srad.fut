-- # SRAD
--
-- Ultrasound pictures are full of speckle, a noise that is stronger where the picture is brighter.
-- Speckle reducing anisotropic diffusion (Yu and Acton, 2002) smooths a picture most where it varies as
-- little as speckle does, and least across edges. The benchmark comes from Rodinia, and is one of the
-- sixteen of *Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place Array
-- Updates* (2017).
--
-- A step is a reduction, which measures how much speckle there is (in the whole picture, as Rodinia
-- does), and two stencils. Each of the three becomes one pass over the picture.

-- | Differences of a pixel to its neighbours. Beyond the edge the picture goes on as it is there.
type differences = {north: f32, south: f32, west: f32, east: f32}

def differences [n] [m] (image: [n][m]f32) (i: i64) (j: i64) : differences =
  let here = image[i, j]
  in { north = image[i64.max 0 (i - 1), j] - here
     , south = image[i64.min (n - 1) (i + 1), j] - here
     , west = image[i, i64.max 0 (j - 1)] - here
     , east = image[i, i64.min (m - 1) (j + 1)] - here
     }

-- | The square of the ratio of standard deviation to mean: the strength of the speckle.
def speckle [n] [m] (image: [n][m]f32) : f32 =
  let (sum, squares) =
    reduce_comm (\(a, b) (c, d) -> (a + c, b + d))
                (0, 0)
                (map (\x -> (x, x * x)) (flatten image))
  let mean = sum / f32.i64 (n * m)
  let variance = squares / f32.i64 (n * m) - mean * mean
  in variance / (mean * mean)

-- | How well a pixel conducts, from 0 to 1: by how much its surroundings vary, compared to speckle.
def conductivity (noise: f32) (here: f32) (d: differences) : f32 =
  let square x : f32 = x * x
  let gradient =
    (square d.north + square d.south + square d.west + square d.east)
    / square here
  let laplacian = (d.north + d.south + d.west + d.east) / here
  let variation =
    (gradient / 2 - square laplacian / 16) / square (1 + laplacian / 4)
  -- A picture without any variation has no noise either.
  let excess = (variation - noise) / f32.max 1e-30 (noise * (1 + noise))
  in f32.max 0 (f32.min 1 (1 / (1 + excess)))

-- Between two neighbours it is the southern or eastern one whose conductivity counts, so that what
-- one loses the other gains.

-- | One step of the diffusion.
def step [n] [m] (rate: f32) (image: [n][m]f32) : [n][m]f32 =
  let noise = speckle image
  let conduct =
    tabulate_2d n m (\i j ->
      conductivity noise image[i, j] (differences image i j))
  let next i j =
    let d = differences image i j
    let here = conduct[i, j]
    let south = conduct[i64.min (n - 1) (i + 1), j]
    let east = conduct[i, i64.min (m - 1) (j + 1)]
    let inflow = here * (d.north + d.west) + south * d.south + east * d.east
    in image[i, j] + rate / 4 * inflow
  in tabulate_2d n m next

-- A scanner gives logarithms of what it measures, from 0 to 255. The diffusion works on the
-- measurements.

-- | The picture after so many steps.
-- ==
-- entry: srad
-- nobench input { 2i64 0.5f32 [[10.0f32, 20.0f32, 200.0f32], [15.0f32, 30.0f32, 180.0f32]] }
-- output { [[13.9165f32, 63.5613f32, 170.0259f32], [18.2189f32, 67.1250f32, 158.4200f32]] }
-- nobench input { 5i64 0.5f32 [[7.0f32, 7.0f32], [7.0f32, 7.0f32], [7.0f32, 7.0f32]] }
-- output { [[7.0f32, 7.0f32], [7.0f32, 7.0f32], [7.0f32, 7.0f32]] }
-- nobench input { 1i64 0.5f32 [[99.0f32]] } output { [[99.0f32]] }
-- nobench input { 0i64 0.5f32 [[0.0f32, 255.0f32]] } output { [[0.0f32, 255.0f32]] }
-- nobench input { 3i64 0.5f32 empty([0][2]f32) } output { empty([0][2]f32) }
-- "502x458, 1 step" notest script input { input 1i64 502i64 458i64 }
-- "502x458, 10 steps" notest script input { input 10i64 502i64 458i64 }
-- "502x458, 100 steps" notest script input { input 100i64 502i64 458i64 }
entry srad [n] [m] (steps: i64) (rate: f32) (image: [n][m]f32) : [n][m]f32 =
  let measured = map (map (\x -> f32.exp (x / 255))) image
  let smooth = loop measured for _i < steps do step rate measured
  in map (map (\x -> 255 * f32.log x)) smooth

-- The picture of the benchmark is made up: grey tissue with dark holes and bright spots in it, times
-- noise.

-- | A number from 0 to 1, without 0, that looks random: the i-th of a sequence.
def random (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in (f32.u32 ((x ^ (x >> 15)) >> 8) + 1) / 16777216

-- | What there is to see at a place of the unit square, from 0 to 255, without noise.
def tissue (y: f32) (x: f32) : f32 =
  let ellipse cy cx ry rx = ((y - cy) / ry) ** 2 + ((x - cx) / rx) ** 2 < 1
  in if ellipse 0.3 0.3 0.1 0.08
     then 20
     else if ellipse 0.7 0.65 0.05 0.11
     then 190
     else if ellipse 0.25 0.75 0.03 0.03 || ellipse 0.8 0.25 0.06 0.03
     then 220
     else if f32.abs (y - 0.5 - 0.05 * f32.sin (12 * x)) < 0.012
     then 200
     else 100

-- | The picture with noise. On the scale of logarithms, speckle is added.
def scan (n: i64) (m: i64) : [n][m]f32 =
  let pixel i j =
    let clean = tissue (f32.i64 i / f32.i64 n) (f32.i64 j / f32.i64 m)
    let noise = 20 * f32.log (-f32.log (random (i * m + j)) + 0.01)
    in f32.max 0 (f32.min 255 (clean + noise))
  in tabulate_2d n m pixel

entry input (steps: i64) (n: i64) (m: i64) : (i64, f32, [n][m]f32) =
  (steps, 0.5, scan n m)

-- | The picture after so many steps, from 0 to 1.
entry picture (steps: i64) (n: i64) (m: i64) : [n][m]f32 =
  map (map (/ 255)) (srad steps 0.5 (scan n m))

-- Before:

-- > :brief :img picture 0i64 502i64 458i64;
-- alt: An ultrasound picture full of speckle

-- After a hundred steps:

-- > :brief :img picture 100i64 502i64 458i64;
-- alt: The same picture after 100 steps: the speckle is gone, the edges are still sharp

-- What is measured is moved about, but neither lost nor gained.

-- | How much the mean of what is measured changes in so many steps, in relation to what it was.
-- ==
-- entry: mean_change
-- nobench input { 5i64 12i64 10i64 } output { 0.0f32 }
entry mean_change (steps: i64) (n: i64) (m: i64) : f32 =
  let mean (image: [n][m]f32) =
    f32.sum (map (\x -> f32.exp (x / 255)) (flatten image)) / f32.i64 (n * m)
  let before = scan n m
  let after = srad steps 0.5 before
  in f32.abs (mean after / mean before - 1)
