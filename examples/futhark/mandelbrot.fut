-- # Mandelbrot
--
-- How long each point *c* of the plane stays near zero when *z* becomes *z*² + *c* again and again,
-- drawn as a picture. The benchmark comes from Accelerate, and is one of the sixteen of *Futhark:
-- Purely Functional GPU-Programming with Nested Parallelism and In-Place Array Updates* (2017).
--
-- Neighbouring points take very different numbers of steps, so the program is a `while` loop inside
-- a `map`. The counts are never stored: each becomes a colour where it is computed.

type complex = {re: f32, im: f32}

def add (a: complex) (b: complex) : complex =
  {re = a.re + b.re, im = a.im + b.im}

def square (a: complex) : complex =
  {re = a.re * a.re - a.im * a.im, im = 2 * a.re * a.im}

def squared_length (a: complex) : f32 = a.re * a.re + a.im * a.im

-- | After how many steps the point is known to go off to infinity, or the limit.
def steps (limit: i32) (c: complex) : i32 =
  let (_, count) =
    loop (z, count) = ({re = 0, im = 0}, 0)
    while count < limit && squared_length z < 4 do
      (add (square z) c, count + 1)
  in count

-- | A value for each pixel of the part of the plane that holds the set.
def over_the_set 'a
                 (height: i64)
                 (width: i64)
                 (f: complex -> a)
    : [height][width]a =
  let between low high i n = low + f32.i64 i * ((high - low) / f32.i64 n)
  in tabulate_2d height width (\i j ->
    f { re = between (-2.25) 0.75 j width
      , im = between (-1.25) 1.25 i height
      })

-- The upper half is the lower half mirrored, but for the first row, which has no counterpart.

-- | The counts.
-- ==
-- entry: counts
-- nobench input { 3i64 4i64 50i32 } output { [[1, 2, 3, 2], [1, 4, 8, 50], [1, 4, 8, 50]] }
-- nobench input { 1i64 1i64 10i32 } output { [[1]] }
-- nobench input { 2i64 2i64 0i32 } output { [[0, 0], [0, 0]] }
-- nobench input { 0i64 3i64 10i32 } output { empty([0][3]i32) }
entry counts (height: i64) (width: i64) (limit: i32) : [height][width]i32 =
  over_the_set height width (steps limit)

-- | How many pixels differ from the one that is opposite across the real axis.
-- ==
-- entry: asymmetric
-- nobench input { 20i64 15i64 40i32 } output { 0i64 }
entry asymmetric (height: i64) (width: i64) (limit: i32) : i64 =
  let image = counts height width limit
  let differs i j = i64.bool (i > 0 && image[i, j] != image[height - i, j])
  in i64.sum (flatten (tabulate_2d height width differs))

-- Points that never leave are black. The others go through the colours faster where there are more
-- of them, which is far from the set.

-- | The colour of a count, as 0xAARRGGBB.
def colour (limit: i32) (count: i32) : u32 =
  let wave (phase: f32) : u32 =
    let angle = 0.9 * f32.log (f32.i32 count + 1) + phase
    in u32.f32 (127.5 * (1 + f32.cos (2 * angle)))
  in if count >= limit
     then 0xff000000
     else 0xff000000 | wave 2.6 << 16 | wave 2.2 << 8 | wave 1.6

-- | The picture.
-- ==
-- entry: picture
-- nobench input { 1i64 2i64 1i32 } output { [[0xff000000u32, 0xff000000u32]] }
-- "400x400" notest input { 400i64 400i64 255i32 }
-- "1000x1000" notest input { 1000i64 1000i64 255i32 }
-- "4000x4000" notest input { 4000i64 4000i64 255i32 }
entry picture (height: i64) (width: i64) (limit: i32) : [height][width]u32 =
  over_the_set height width (steps limit >-> colour limit)

-- > :brief :img picture 500i64 600i64 255i32;
-- alt: The Mandelbrot set in black, in bands of blue and yellow
