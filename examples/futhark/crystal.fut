-- # Crystal
--
-- Plane waves that run in directions spread evenly over a half-turn add up to a pattern that has
-- their symmetry but never repeats: a quasicrystal. The benchmark comes from Accelerate, and is one
-- of the sixteen of *Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place
-- Array Updates* (2017).
--
-- Each pixel adds up all waves. The sum is a `reduce` inside a `map`, and since the pixels are many
-- and the waves few, it becomes a loop that stores nothing. In the paper, fusion makes this program
-- ten times as fast.

type point = {x: f32, y: f32}

-- | The height, from 0 to 1, of a wave that runs in a direction (an angle) at some phase.
def wave (phase: f32) (p: point) (angle: f32) : f32 =
  let along = p.x * f32.cos angle + p.y * f32.sin angle
  in (f32.cos (along + phase) + 1) / 2

-- | Folds the line onto 0 to 1, back and forth.
def fold (height: f32) : f32 =
  let whole = f32.floor height
  let rest = height - whole
  in if i32.f32 whole % 2 == 0 then rest else 1 - rest

-- | How bright a point is, from 0 to 1.
def brightness (degree: i64) (phase: f32) (p: point) : f32 =
  let angle i = f32.i64 i * (f32.pi / f32.i64 degree)
  in fold (f32.sum (map (angle >-> wave phase p) (iota degree)))

-- | The middle of each pixel of a square picture, where so many half-waves fit from the centre to an
-- edge.
def pixels (size: i64) (scale: f32) : [size][size]point =
  let place i = (2 * f32.i64 i + 1) / f32.i64 size - 1
  in tabulate_2d size size (\i j ->
    { x = scale * f32.pi * place j
    , y = scale * f32.pi * place i
    })

-- | From a dark blue to white.
def colour (b: f32) : u32 =
  let mix (low: f32) : u32 = u32.f32 (low + b * (255 - low))
  in 0xff000000 | mix 0 << 16 | mix 20 << 8 | mix 90

-- | The brightness of all pixels.
-- ==
-- entry: brightnesses
-- nobench input { 2i64 0.5f32 1i64 0.0f32 } output { [[0.853553f32, 0.853553f32], [0.853553f32, 0.853553f32]] }
-- nobench input { 2i64 0.5f32 2i64 1.0f32 } output { [[0.022939f32, 0.617949f32], [0.617949f32, 0.787042f32]] }
-- nobench input { 3i64 1.5f32 5i64 0.3f32 }
-- output { [[0.505148f32, 0.103075f32, 0.505148f32], [0.226730f32, 0.888341f32, 0.226730f32], [0.086883f32, 0.556152f32, 0.086883f32]] }
-- nobench input { 1i64 9.0f32 3i64 0.0f32 } output { [[1.0f32]] }
-- nobench input { 1i64 9.0f32 4i64 0.0f32 } output { [[0.0f32]] }
-- nobench input { 1i64 9.0f32 0i64 0.0f32 } output { [[0.0f32]] }
-- nobench input { 0i64 9.0f32 3i64 0.0f32 } output { empty([0][0]f32) }
entry brightnesses (size: i64)
                   (scale: f32)
                   (degree: i64)
                   (phase: f32)
    : [size][size]f32 =
  map (map (brightness degree phase)) (pixels size scale)

-- | The largest difference between a pixel and the one opposite to it across the centre. At phase
-- zero the pattern is the same on both sides.
-- ==
-- entry: asymmetry
-- nobench input { 8i64 10.0f32 7i64 } output { 0.0f32 }
entry asymmetry (size: i64) (scale: f32) (degree: i64) : f32 =
  let image = brightnesses size scale degree 0
  let opposite = reverse (map reverse image)
  in f32.maximum (map2 (\a b -> f32.abs (a - b))
                       (flatten image)
                       (flatten opposite))

-- | The picture.
-- ==
-- entry: picture
-- "200, degree 50" notest input { 200i64 30.0f32 50i64 0.0f32 }
-- "630, degree 50" notest input { 630i64 30.0f32 50i64 0.0f32 }
-- "2000, degree 50" notest input { 2000i64 30.0f32 50i64 0.0f32 }
entry picture (size: i64)
              (scale: f32)
              (degree: i64)
              (phase: f32)
    : [size][size]u32 =
  map (map (brightness degree phase >-> colour)) (pixels size scale)

-- > :brief :img picture 300i64 15f32 7i64 0f32;
-- alt: A pattern of rings and cells with fourteen-fold symmetry, blue on white

-- When the phase advances, the waves run, and the crystal moves.

entry animation (frames: i64)
                (size: i64)
                (scale: f32)
                (degree: i64)
    : [frames][size][size]u32 =
  tabulate frames (\t ->
    picture size
            scale
            degree
            (2 * f32.pi * f32.i64 t / f32.i64 frames))

-- > :brief :video animation 30i64 128i64 8f32 7i64;
-- fps: 15
-- alt: The pattern changes as the waves run
