-- # The Mandelbrot set
--
-- For each point c of a part of the complex plane, after how many steps the iteration of z² + c is known
-- to escape. One of the benchmarks of Svensson, Vollmer, Holk, McDonell and Newton, *Converting
-- Data-Parallelism to Task-Parallelism by Rewrites* (FHPC 2015, section 6.2). The paper uses it because
-- its work is unbalanced: points of the set take all steps, and most others only a few. If each of two
-- devices gets one half of the picture, one of them waits for the other. Norn's threads take small
-- portions of the picture, one after the other, until none are left.

type complex = {re: f32, im: f32}

def add (a: complex) (b: complex) : complex =
  {re = a.re + b.re, im = a.im + b.im}

def square (z: complex) : complex =
  {re = z.re * z.re - z.im * z.im, im = 2 * z.re * z.im}

def squared_size (z: complex) : f32 = z.re * z.re + z.im * z.im

-- The number of steps until a point is at a given distance from the origin, and its position then. A
-- point that is farther away than 2 does not come back.

def escape (far: f32) (limit: i32) (c: complex) : (complex, i32) =
  loop (z, steps) = ({re = 0, im = 0}, 0)
  while steps < limit && squared_size z < far * far do
    (add (square z) c, steps + 1)

-- ## The part of the plane
--
-- A window has a centre and a width. Its pixels are squares.

type window = {centre: complex, width: f32}

def points (w: window) (rows: i64) (columns: i64) : [rows][columns]complex =
  let pixel = w.width / f32.i64 columns
  let from_middle n i = pixel * (f32.i64 i - f32.i64 (n - 1) / 2)
  in tabulate_2d rows columns (\i j ->
    add w.centre
        { re = from_middle columns j
        , im = -(from_middle rows i)
        })

def whole : window = {centre = {re = -0.75, im = 0}, width = 3.5}

-- ==
-- entry: mandelbrot
-- nobench input { 50i32 5i64 7i64 }
-- output { [[1, 1, 3, 3, 6, 4, 2], [1, 3, 4, 6, 50, 50, 3], [1, 50, 50, 50, 50, 50, 3],
--           [1, 3, 4, 6, 50, 50, 3], [1, 1, 3, 3, 6, 4, 2]] }
-- nobench input { 50i32 1i64 1i64 } output { [[50]] }
-- nobench input { 50i32 0i64 3i64 } output { empty([0][3]i32) }
-- "800x600" notest input { 255i32 600i64 800i64 }
-- "2560x1920" notest input { 255i32 1920i64 2560i64 }
-- "8000x6000" notest input { 255i32 6000i64 8000i64 }
entry mandelbrot (limit: i32) (rows: i64) (columns: i64) : [rows][columns]i32 =
  map (map (\c -> (escape 2 limit c).1)) (points whole rows columns)

-- ## Colours
--
-- The number of steps is an integer, which would give bands of one colour. The distance of a point after
-- its last step makes it a smooth function. Colours repeat in a cycle, and the set is black.

def smooth_steps (z: complex) (steps: i32) : f32 =
  f32.i32 steps + 1 - f32.log2 (f32.log2 (squared_size z) / 2)

def palette (t: f32) : u32 =
  let part (phase: f32) : u32 =
    u32.f32 (127.5 * (1 - f32.cos (2 * f32.pi * (t + phase))))
  in 0xff000000 | part 0 << 16 | part 0.08 << 8 | part 0.2

def colour (limit: i32) (c: complex) : u32 =
  let (z, steps) = escape 100 limit c
  in if steps == limit
     then 0xff000000
     else palette (f32.sqrt (smooth_steps z steps) / 6)

entry picture (rows: i64) (columns: i64) : [rows][columns]u32 =
  map (map (colour 500)) (points whole rows columns)

-- > :brief :img picture 480i64 640i64;
-- alt: The Mandelbrot set in black, with a bright border on blue

-- ## A journey
--
-- Each picture shows a smaller part than the one before, by the same factor, around a point in the
-- valley of the sea horses. The width ends well above what the precision of the numbers can resolve.

entry journey (pictures: i64)
              (rows: i64)
              (columns: i64)
    : [pictures][rows][columns]u32 =
  let goal = {re = -0.743644, im = 0.131826}
  let frame k =
    let progress = f32.i64 k / f32.i64 pictures
    let width = 3.5 * 0.0005 ** progress
    in map (map (colour 500)) (points {centre = goal, width} rows columns)
  in tabulate pictures frame

-- > :brief :video journey 60i64 108i64 144i64;
-- fps: 15
-- alt: A journey into the border of the Mandelbrot set
