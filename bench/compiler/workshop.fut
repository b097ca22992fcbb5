-- | A thousand lines such as people write: small libraries of numerics, sorting, images, graphs, text
-- and simulation, with the modules, sizes and in-place updates that such code uses.

-- Numbers ------------------------------------------------------------------------------------------

-- | What the numeric libraries below need of a number.
module type number = {
  type t
  val zero : t
  val one : t
  val add : t -> t -> t
  val sub : t -> t -> t
  val mul : t -> t -> t
  val div : t -> t -> t
  val neg : t -> t
  val abs : t -> f64
  val from_f64 : f64 -> t
}

module real : number with t = f64 = {
  type t = f64
  def zero : t = 0
  def one : t = 1
  def add (x: t) (y: t) : t = x + y
  def sub (x: t) (y: t) : t = x - y
  def mul (x: t) (y: t) : t = x * y
  def div (x: t) (y: t) : t = x / y
  def neg (x: t) : t = -x
  def abs (x: t) : f64 = f64.abs x
  def from_f64 (x: f64) : t = x
}

module complex = {
  type t = {re: f64, im: f64}

  def make (re: f64) (im: f64) : t = {re, im}
  def zero : t = make 0 0
  def one : t = make 1 0
  def i : t = make 0 1
  def add (a: t) (b: t) : t = make (a.re + b.re) (a.im + b.im)
  def sub (a: t) (b: t) : t = make (a.re - b.re) (a.im - b.im)
  def mul (a: t) (b: t) : t =
    make (a.re * b.re - a.im * b.im) (a.re * b.im + a.im * b.re)
  def conj (a: t) : t = a with im = -a.im
  def neg (a: t) : t = make (-a.re) (-a.im)
  def norm (a: t) : f64 = a.re * a.re + a.im * a.im
  def abs (a: t) : f64 = f64.sqrt (norm a)
  def from_f64 (x: f64) : t = make x 0

  def div (a: t) (b: t) : t =
    let c = mul a (conj b)
    let d = norm b
    in make (c.re / d) (c.im / d)

  def exp (a: t) : t =
    let r = f64.exp a.re
    in make (r * f64.cos a.im) (r * f64.sin a.im)

  def polar (r: f64) (angle: f64) : t =
    make (r * f64.cos angle) (r * f64.sin angle)
}

-- | Numbers with sixteen bits after the point.
module fixed : {
  type t
  val from_i32 : i32 -> t
  val from_f64 : f64 -> t
  val to_f64 : t -> f64
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val < : t -> t -> bool
} = {
  type t = i64

  local def scale : i64 = 1 << 16

  def from_i32 (x: i32) : t = i64.i32 x * scale
  def from_f64 (x: f64) : t = i64.f64 (f64.round (x * f64.i64 scale))
  def to_f64 (x: t) : f64 = f64.i64 x / f64.i64 scale
  def (x: t) + (y: t) : t = x i64.+ y
  def (x: t) - (y: t) : t = x i64.- y
  def (x: t) * (y: t) : t = (x i64.* y) >> 16
  def (x: t) < (y: t) : bool = x i64.< y
}

def fixed_mean (a: fixed.t) (b: fixed.t) : fixed.t =
  fixed.((a + b) * from_f64 0.5)

-- Linear algebra -----------------------------------------------------------------------------------

module linear (n: number) = {
  type t = n.t

  def dot [m] (xs: [m]t) (ys: [m]t) : t = reduce n.add n.zero (map2 n.mul xs ys)

  def axpy [m] (a: t) (xs: [m]t) (ys: [m]t) : [m]t =
    map2 (\x y -> n.add (n.mul a x) y) xs ys

  def matvec [r] [c] (a: [r][c]t) (x: [c]t) : [r]t = map (dot x) a

  def matmul [r] [c] [k] (a: [r][c]t) (b: [c][k]t) : [r][k]t =
    map (\row -> map (dot row) (transpose b)) a

  def identity (m: i64) : [m][m]t =
    tabulate_2d m m (\i j -> if i == j then n.one else n.zero)

  def outer [r] [c] (xs: [r]t) (ys: [c]t) : [r][c]t =
    map (\x -> map (n.mul x) ys) xs

  def trace [m] (a: [m][m]t) : t =
    reduce n.add n.zero (map (\i -> a[i, i]) (iota m))

  def frobenius [r] [c] (a: [r][c]t) : f64 =
    f64.sqrt (f64.sum (map (\x -> n.abs x ** 2) (flatten a)))

  -- | The matrix multiplied with itself so many times.
  def power [m] (a: [m][m]t) (k: i32) : [m][m]t =
    let (result, _, _) =
      loop (result, square, k) = (identity m, a, k) while k > 0 do
        let result = if k & 1 == 1 then matmul result square else result
        in (result, matmul square square, k >> 1)
    in result

  -- | Lower and upper triangle in one matrix, without pivoting.
  def lu [m] (a: *[m][m]t) : *[m][m]t =
    loop a for k < m do
      let pivot = a[k, k]
      let factors =
        map (\i -> if i > k then n.div a[i, k] pivot else n.zero) (iota m)
      let row = copy a[k]
      in map2 (\i old ->
        if i <= k
        then old
        else map2 (\j x ->
          if j == k
          then factors[i]
          else if j > k
          then n.sub x (n.mul factors[i] row[j])
          else x) (iota m) old) (iota m) (copy a)

  def forward [m] (l: [m][m]t) (b: [m]t) : [m]t =
    loop y = replicate m n.zero for i < m do
      let before =
        reduce n.add
               n.zero
               (map (\j -> if j < i then n.mul l[i, j] y[j] else n.zero)
                    (iota m))
      in y with [i] = n.sub b[i] before

  def backward [m] (u: [m][m]t) (y: [m]t) : [m]t =
    loop x = replicate m n.zero for k < m do
      let i = m - 1 - k
      let after =
        reduce n.add
               n.zero
               (map (\j -> if j > i then n.mul u[i, j] x[j] else n.zero)
                    (iota m))
      in x with [i] = n.div (n.sub y[i] after) u[i, i]

  def solve [m] (a: [m][m]t) (b: [m]t) : [m]t =
    let f = lu (copy a)
    in backward f (forward f b)
}

module real_linear = linear real

entry solve_system [m] (a: [m][m]f64) (b: [m]f64) : [m]f64 =
  real_linear.solve a b

entry fibonacci (k: i32) : f64 =
  let m = real_linear.power [[1, 1], [1, 0]] k
  in m[0, 1]

-- | A tridiagonal system by the method of Thomas.
def tridiagonal [n]
                (below: [n]f64)
                (diagonal: [n]f64)
                (above: [n]f64)
                (right: [n]f64) : [n]f64 =
  let (c, d) =
    loop (c, d) = (replicate n 0, replicate n 0) for i < n do
      let (pc, pd) = if i == 0 then (0, 0) else (c[i - 1], d[i - 1])
      let denominator = diagonal[i] - below[i] * pc
      let new_c = above[i] / denominator
      let new_d = (right[i] - below[i] * pd) / denominator
      in (c with [i] = new_c, d with [i] = new_d)
  in loop x = replicate n 0 for k < n do
       let i = n - 1 - k
       let next = if i == n - 1 then 0 else x[i + 1]
       in x with [i] = d[i] - c[i] * next

-- | Conjugate gradients: at most so many steps, or until the rest is small.
def conjugate_gradient
    [n]
    (apply: [n]f64 -> [n]f64)
    (right: [n]f64)
    (steps: i32)
    (tolerance: f64) : [n]f64 =
  let dot (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)
  let start = (replicate n 0, right, right, dot right right, 0)
  let (x, _, _, _, _) =
    loop (x, r, p, rr, i) = start while i < steps && rr > tolerance do
      let ap = apply p
      let alpha = rr / dot p ap
      let x = map2 (\a b -> a + alpha * b) x p
      let r = map2 (\a b -> a - alpha * b) r ap
      let rr' = dot r r
      let p = map2 (\a b -> a + rr' / rr * b) r p
      in (x, r, p, rr', i + 1)
  in x

-- Statistics ---------------------------------------------------------------------------------------

module statistics = {
  type summary =
    {count: i64, mean: f64, variance: f64, least: f64, greatest: f64}

  def mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n

  def variance [n] (xs: [n]f64) : f64 =
    let m = mean xs
    in f64.sum (map (\x -> (x - m) ** 2) xs) / f64.i64 (i64.max 1 (n - 1))

  def summarise [n] (xs: [n]f64) : summary =
    { count = n
    , mean = mean xs
    , variance = variance xs
    , least = f64.minimum xs
    , greatest = f64.maximum xs
    }

  -- | The summary of two samples together, from those of each.
  def combine (a: summary) (b: summary) : summary =
    let n = a.count + b.count
    let (fa, fb, f) = (f64.i64 a.count, f64.i64 b.count, f64.i64 n)
    let d = b.mean - a.mean
    let squares =
      a.variance * (fa - 1) + b.variance * (fb - 1) + d * d * fa * fb / f
    in { count = n
       , mean = (fa * a.mean + fb * b.mean) / f
       , variance = squares / (f - 1)
       , least = f64.min a.least b.least
       , greatest = f64.max a.greatest b.greatest
       }

  def covariance [n] (xs: [n]f64) (ys: [n]f64) : f64 =
    let (mx, my) = (mean xs, mean ys)
    in f64.sum (map2 (\x y -> (x - mx) * (y - my)) xs ys) / f64.i64 (n - 1)

  def correlation [n] (xs: [n]f64) (ys: [n]f64) : f64 =
    covariance xs ys / f64.sqrt (variance xs * variance ys)

  -- | Slope and value at zero of the line nearest to the points.
  def regression [n] (xs: [n]f64) (ys: [n]f64) : (f64, f64) =
    let slope = covariance xs ys / variance xs
    in (slope, mean ys - slope * mean xs)

  def histogram [n] (bins: i64) (xs: [n]f64) : [bins]i64 =
    let (least, greatest) = (f64.minimum xs, f64.maximum xs)
    let width = (greatest - least) / f64.i64 bins
    let bin x = i64.min (bins - 1) (i64.f64 ((x - least) / width))
    in hist (+) 0 bins (map bin xs) (replicate n 1)

  def moving_average [n] (window: i64) (xs: [n]f64) : [n - window + 1]f64 =
    let sums = scan (+) 0 xs
    in tabulate (n - window + 1) (\i ->
      let before =
        if i == 0 then 0 else sums[i - 1]
      in (sums[i + window - 1] - before)
         / f64.i64 window)
}

entry describe [n] (xs: [n]f64) : (f64, f64, f64, f64) =
  let s = statistics.summarise xs
  in (s.mean, s.variance, s.least, s.greatest)

entry trend [n] (ys: [n]f64) : (f64, f64) =
  statistics.regression (map f64.i64 (iota n)) ys

-- Random numbers -----------------------------------------------------------------------------------

module type engine = {
  type state
  val seed : i32 -> state
  val next : state -> (state, u32)
}

-- | Each state is a number, scrambled to give the next output.
module scrambler : engine = {
  type state = u32

  def seed (x: i32) : state = u32.i32 x ^ 0x9e3779b9

  def next (s: state) : (state, u32) =
    let s = s + 0x6d2b79f5
    let z = (s ^ (s >> 15)) * (s | 1)
    let z = z ^ (z + (z ^ (z >> 7)) * (z | 61))
    in (s, z ^ (z >> 14))
}

module random (e: engine) = {
  type state = e.state

  def seed = e.seed

  -- | A number from 0 up to, not including, 1.
  def uniform (s: state) : (state, f64) =
    let (s, x) = e.next s
    in (s, f64.u32 x / 4294967296)

  def between (least: i32) (greatest: i32) (s: state) : (state, i32) =
    let (s, x) = uniform s
    in (s, least + i32.f64 (x * f64.i32 (greatest - least + 1)))

  -- | Two numbers with the normal distribution, by the method of Box and Muller.
  def normal (s: state) : (state, (f64, f64)) =
    let (s, u) = uniform s
    let (s, v) = uniform s
    let r = f64.sqrt (-2 * f64.log (1 - u))
    let angle = 2 * f64.pi * v
    in (s, (r * f64.cos angle, r * f64.sin angle))

  def split (n: i64) (s: state) : [n]state =
    let (_, x) = e.next s
    in tabulate n (\i -> e.seed (i32.u32 x ^ i32.i64 i))
}

module dice = random scrambler

entry estimate_pi (points: i64) (seed: i32) : f64 =
  let inside s =
    let (s, x) = dice.uniform s
    let (_, y) = dice.uniform s
    in i64.bool (x * x + y * y < 1)
  let hits = i64.sum (map inside (dice.split points (dice.seed seed)))
  in 4 * f64.i64 hits / f64.i64 points

entry throw_dice (throws: i64) (seed: i32) : [6]i64 =
  let throw s = let (_, x) = dice.between 1 6 s in i64.i32 x - 1
  in hist (+)
          0
          6
          (map throw (dice.split throws (dice.seed seed)))
          (replicate throws 1)

-- | The value of an option at its end.
type option_kind = #call | #put

def payoff (kind: option_kind) (strike: f64) (price: f64) : f64 =
  match kind
  case #call -> f64.max 0 (price - strike)
  case #put -> f64.max 0 (strike - price)

entry price_option (paths: i64)
                   (spot: f64)
                   (strike: f64)
                   (rate: f64)
                   (volatility: f64) : (f64, f64) =
  let final s =
    let (_, (z, _)) = dice.normal s
    in spot * f64.exp ((rate - volatility ** 2 / 2) + volatility * z)
  let prices = map final (dice.split paths (dice.seed 42))
  let value kind =
    f64.exp (-rate) * statistics.mean (map (payoff kind strike) prices)
  in (value #call, value #put)

-- Sorting ------------------------------------------------------------------------------------------

-- | Sorts by one bit, keeping the order of equals.
def sort_by_bit [n] 't (bit: t -> bool) (xs: [n]t) : [n]t =
  let bits = map bit xs
  let zeros = map (\b -> if b then 0 else 1) bits
  let ones = map (\b -> if b then 1 else 0) bits
  let zero_place = scan (+) 0 zeros
  let zero_count = if n == 0 then 0 else zero_place[n - 1]
  let one_place = map (+ zero_count) (scan (+) 0 ones)
  let place =
    map3 (\b z o -> if b then o - 1 else z - 1) bits zero_place one_place
  in scatter (copy xs) place xs

def radix_sort [n] (xs: [n]u32) : [n]u32 =
  loop xs for i < 32i32 do sort_by_bit (\x -> (x >> u32.i32 i) & 1 == 1) xs

def radix_sort_by_key [n] 't (key: t -> u32) (xs: [n]t) : [n]t =
  loop xs for i < 32i32 do sort_by_bit (\x -> (key x >> u32.i32 i) & 1 == 1) xs

-- | Where `x` belongs in a sorted array: the number of elements that are less.
def lower_bound [n] 't (less: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  let (low, _) =
    loop (low, high) = (0, n) while low < high do
      let middle = (low + high) / 2
      in if xs[middle] `less` x then (middle + 1, high) else (low, middle)
  in low

-- | One array of two sorted ones: each element finds its place by counting.
def merge [n] [m] 't (less: t -> t -> bool) (xs: [n]t) (ys: [m]t) : [n + m]t =
  let not_after a b = !(b `less` a)
  let x_places = map2 (\i x -> i + lower_bound less ys x) (iota n) xs
  let y_places = map2 (\i y -> i + lower_bound not_after xs y) (iota m) ys
  let result = copy (xs ++ ys)
  let result = scatter result x_places xs
  in scatter result y_places ys

-- | Elements without those equal to the one before.
def without_repeats [n] 't (equal: t -> t -> bool) (xs: [n]t) : []t =
  let first i = i == 0 || !(xs[i] `equal` xs[i - 1])
  in map (\i -> xs[i]) (filter first (iota n))

entry distinct [n] (xs: [n]u32) : []u32 = without_repeats (==) (radix_sort xs)

entry rank_of_each [n] (xs: [n]u32) : [n]i64 =
  let sorted = radix_sort xs
  in map (lower_bound (<) sorted) xs

-- | The `k` least, in order.
entry least_of [n] (k: i64) (xs: [n]u32) : [k]u32 = take k (radix_sort xs)

-- Segmented operations -----------------------------------------------------------------------------

def segmented_scan [n] 't
                   (op: t -> t -> t)
                   (ne: t)
                   (flags: [n]bool)
                   (xs: [n]t) : [n]t =
  let step (f, x) (g, y) = (f || g, if g then y else x `op` y)
  in (unzip (scan step (false, ne) (zip flags xs))).1

def segmented_reduce [n] 't
                     (op: t -> t -> t)
                     (ne: t)
                     (flags: [n]bool)
                     (xs: [n]t) : []t =
  let scanned = segmented_scan op ne flags xs
  let ends = rotate 1 flags
  let (results, _) = unzip (filter (.1) (zip scanned ends))
  in results

-- | Run-length encoding: each value and how often it stands in a row.
def encode_runs [n] (xs: [n]i32) : ?[k].([k]i32, [k]i64) =
  let starts = filter (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n)
  let end k = if k + 1 < length starts then starts[k + 1] else n
  let ends = map end (indices starts)
  in (map (\i -> xs[i]) starts, map2 (-) ends starts)

def decode_runs [k] (values: [k]i32) (counts: [k]i64) : []i32 =
  let ends = scan (+) 0 counts
  let total = if k == 0 then 0 else ends[k - 1]
  in tabulate total (\i -> values[lower_bound (<=) ends i])

entry runs_round_trip [n] (xs: [n]i32) : bool =
  let (values, counts) = encode_runs xs
  let back = decode_runs values counts
  in length back == n && and (map2 (==) xs (back :> [n]i32))

-- Images -------------------------------------------------------------------------------------------

type colour = {r: f32, g: f32, b: f32}

module colours = {
  def black : colour = {r = 0, g = 0, b = 0}
  def white : colour = {r = 1, g = 1, b = 1}

  def mix (k: f32) (a: colour) (b: colour) : colour =
    let blend x y = x * (1 - k) + y * k
    in {r = blend a.r b.r, g = blend a.g b.g, b = blend a.b b.b}

  def scale (k: f32) (c: colour) : colour =
    {r = k * c.r, g = k * c.g, b = k * c.b}

  def add (a: colour) (b: colour) : colour =
    {r = a.r + b.r, g = a.g + b.g, b = a.b + b.b}

  def luminance (c: colour) : f32 = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b

  def to_argb (c: colour) : u32 =
    let channel (x: f32) = u32.f32 (f32.min 1 (f32.max 0 x) * 255)
    in (255 << 24) | (channel c.r << 16) | (channel c.g << 8) | channel c.b
}

-- | The pixel at a place, or that at the nearest edge.
def pixel_at [h] [w] 't (image: [h][w]t) (y: i64) (x: i64) : t =
  image[i64.min (h - 1) (i64.max 0 y), i64.min (w - 1) (i64.max 0 x)]

def convolve [h] [w] [kh] [kw]
             (kernel: [kh][kw]f32)
             (image: [h][w]f32) : [h][w]f32 =
  let at y x =
    let part i j =
      kernel[i, j] * pixel_at image (y + i - kh / 2) (x + j - kw / 2)
    in f32.sum (flatten (tabulate_2d kh kw part))
  in tabulate_2d h w at

def gaussian (radius: i64) (sigma: f32) : [2 * radius + 1]f32 =
  let size = 2 * radius + 1
  let weight i =
    let d = f32.i64 (i - radius) in f32.exp (-d * d / (2 * sigma * sigma))
  let weights = map weight (iota size)
  let total = f32.sum weights
  in sized (2 * radius + 1) (map (/ total) weights)

-- | Rows first, then columns: the same as with the square kernel, for less.
def blur [h] [w] (radius: i64) (sigma: f32) (image: [h][w]f32) : [h][w]f32 =
  let kernel = gaussian radius sigma
  let rows = convolve [kernel] image
  in convolve (map (\k -> [k]) kernel) rows

entry edges [h] [w] (image: [h][w]f32) : [h][w]f32 =
  let smooth = blur 2 1 image
  let dx = convolve [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]] smooth
  let dy = convolve [[-1, -2, -1], [0, 0, 0], [1, 2, 1]] smooth
  in map2 (map2 (\x y -> f32.sqrt (x * x + y * y))) dx dy

-- | Spreads the brightness evenly over all levels.
entry equalise [h] [w] (image: [h][w]u8) : [h][w]u8 =
  let levels = hist (+) 0 256 (map i64.u8 (flatten image)) (replicate (h * w) 1)
  let below = scan (+) 0 levels
  let least = reduce i64.min i64.highest (filter (> 0) below)
  let scale x = 255 * (below[i64.u8 x] - least) / i64.max 1 (h * w - least)
  in map (map (\x -> u8.i64 (i64.max 0 (scale x)))) image

-- | How many steps each point of the plane takes to leave.
def mandelbrot (limit: i32) (c: complex.t) : i32 =
  let (_, n) =
    loop (z, n) = (complex.zero, 0) while n < limit && complex.norm z < 4 do
      (complex.add (complex.mul z z) c, n + 1)
  in n

entry mandelbrot_image (h: i64) (w: i64) (limit: i32) : [h][w]u32 =
  let paint n =
    if n == limit
    then colours.black
    else colours.mix (f32.i32 n / f32.i32 limit)
                     {r = 0, g = 0, b = 0.3}
                     colours.white
  let at y x =
    complex.make (3 * f64.i64 x / f64.i64 w - 2) (2 * f64.i64 y / f64.i64 h - 1)
    |> mandelbrot limit
    |> paint
    |> colours.to_argb
  in tabulate_2d h w at

-- | The rule of Conway's game on a torus.
entry game_of_life [h] [w] (steps: i32) (board: [h][w]bool) : [h][w]bool =
  let step (now: [h][w]bool) =
    let count = map (map i32.bool) now
    let shifted dy dx = map (rotate dx) (rotate dy count)
    let neighbours =
      map (\(dy, dx) -> shifted dy dx)
          [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
      |> reduce (map2 (map2 (+))) (replicate h (replicate w 0))
    in map2 (map2 (\alive n -> n == 3 || (alive && n == 2))) now neighbours
  in iterate steps step board

-- Ray tracing --------------------------------------------------------------------------------------

module vec3 = {
  type t = {x: f32, y: f32, z: f32}

  def make (x: f32) (y: f32) (z: f32) : t = {x, y, z}
  def zero : t = make 0 0 0
  def (a: t) + (b: t) : t = make (a.x f32.+ b.x) (a.y f32.+ b.y) (a.z f32.+ b.z)
  def (a: t) - (b: t) : t = make (a.x f32.- b.x) (a.y f32.- b.y) (a.z f32.- b.z)
  def scale (k: f32) (a: t) : t = make (k f32.* a.x) (k f32.* a.y) (k f32.* a.z)
  def dot (a: t) (b: t) : f32 = f32.(a.x * b.x + a.y * b.y + a.z * b.z)
  def cross (a: t) (b: t) : t =
    f32.(make (a.y * b.z - a.z * b.y)
              (a.z * b.x - a.x * b.z)
              (a.x * b.y - a.y * b.x))
  def length (a: t) : f32 = f32.sqrt (dot a a)
  def unit (a: t) : t = scale (1 f32./ length a) a
  def reflect (a: t) (normal: t) : t = a - scale (2 f32.* dot a normal) normal
}

type ray = {origin: vec3.t, direction: vec3.t}

type surface = #matt colour | #mirror | #chequered colour colour

type object =
    #sphere {centre: vec3.t, radius: f32, surface: surface}
  | #floor {height: f32, surface: surface}

type hit =
  #miss | #hit {distance: f32, place: vec3.t, normal: vec3.t, surface: surface}

def along (r: ray) (t: f32) : vec3.t = r.origin vec3.+ vec3.scale t r.direction

def intersect (r: ray) (o: object) : hit =
  match o
  case #sphere {centre, radius, surface} ->
    let way = r.origin vec3.- centre
    let b = vec3.dot way r.direction
    let c = vec3.dot way way - radius * radius
    let discriminant = b * b - c
    in if discriminant < 0
       then #miss
       else let root = f32.sqrt discriminant
            let t = if -b - root > 0.001 then -b - root else -b + root
            in if t <= 0.001
               then #miss
               else let place = along r t
                    in #hit { distance = t
                            , place
                            , normal =
                                vec3.scale (1 / radius) (place vec3.- centre)
                            , surface
                            }
  case #floor {height, surface} ->
    let t = (height - r.origin.y) / r.direction.y
    in if t <= 0.001 || f32.isinf t
       then #miss
       else #hit { distance = t
                 , place = along r t
                 , normal = vec3.make 0 1 0
                 , surface
                 }

def nearer (a: hit) (b: hit) : hit =
  match (a, b)
  case (#miss, _) -> b
  case (_, #miss) -> a
  case (#hit x, #hit y) -> if x.distance <= y.distance then a else b

def first_hit [n] (objects: [n]object) (r: ray) : hit =
  reduce_comm nearer #miss (map (intersect r) objects)

def sky (direction: vec3.t) : colour =
  colours.mix (direction.y / 2 + 0.5) colours.white {r = 0.4, g = 0.6, b = 1}

def light : vec3.t = vec3.unit (vec3.make 1 2 (-1))

def shade [n]
          (objects: [n]object)
          (place: vec3.t)
          (normal: vec3.t)
          (base: colour) : colour =
  let shadowed =
    match first_hit objects {origin = place, direction = light}
    case #miss -> false
    case #hit _ -> true
  let brightness =
    if shadowed then 0.15 else 0.15 + 0.85 * f32.max 0 (vec3.dot normal light)
  in colours.scale brightness base

def trace [n] (objects: [n]object) (bounces: i32) (r: ray) : colour =
  let (_, colour, _, _) =
    loop (r, colour, weight, left) = (r, colours.black, 1, bounces)
    while left > 0 do
      match first_hit objects r
      case #miss ->
        (r, colours.add colour (colours.scale weight (sky r.direction)), 0, 0)
      case #hit h ->
        let matt base =
          colours.add colour
                      (colours.scale weight
                                     (shade objects h.place h.normal base))
        in match h.surface
           case #matt base -> (r, matt base, 0, 0)
           case #chequered a b ->
             let even =
               (i32.f32 (f32.floor h.place.x) + i32.f32 (f32.floor h.place.z))
               % 2
               == 0
             in (r, matt (if even then a else b), 0, 0)
           case #mirror ->
             let direction = vec3.unit (vec3.reflect r.direction h.normal)
             in ({origin = h.place, direction}, colour, weight * 0.8, left - 1)
  in colour

def scene : [4]object =
  [ #sphere {centre = vec3.make 0 1 4, radius = 1, surface = #mirror}
  , #sphere { centre = vec3.make (-2) 0.5 3
            , radius = 0.5
            , surface = #matt {r = 0.9, g = 0.2, b = 0.2}
            }
  , #sphere { centre = vec3.make 2 0.7 5
            , radius = 0.7
            , surface = #matt {r = 0.2, g = 0.4, b = 0.9}
            }
  , #floor { height = 0
           , surface = #chequered colours.white {r = 0.2, g = 0.2, b = 0.2}
           }
  ]

entry render (h: i64) (w: i64) : [h][w]u32 =
  let eye = vec3.make 0 1.2 (-2)
  let at y x =
    let dx = (f32.i64 x - f32.i64 w / 2) / f32.i64 h
    let dy = (f32.i64 h / 2 - f32.i64 y) / f32.i64 h
    in colours.to_argb (trace scene
                              4
                              { origin = eye
                              , direction = vec3.unit (vec3.make dx dy 1)
                              })
  in tabulate_2d h w at

-- Graphs -------------------------------------------------------------------------------------------

-- | The edges that leave vertex `v` stand from `starts[v]` up to `starts[v + 1]`.
type graph [v] [e] = {starts: [v]i64, targets: [e]i64}

def degree [v] [e] (g: graph [v] [e]) (x: i64) : i64 =
  (if x + 1 < v then g.starts[x + 1] else e) - g.starts[x]

def from_edges [e] (v: i64) (edges: [e](i64, i64)) : graph [v] [e] =
  let sorted = radix_sort_by_key (\(a, _) -> u32.i64 a) edges
  let (sources, targets) = unzip sorted
  let counts = hist (+) 0 v sources (replicate e 1)
  let ends = scan (+) 0 counts
  in {starts = map2 (-) ends counts, targets}

-- | How many steps each vertex is away from the first; -1 if there is no way.
def breadth_first [v] [e] (g: graph [v] [e]) (first: i64) : [v]i64 =
  let start = replicate v (-1) with [first] = 0
  let (distances, _, _) =
    loop (distances, frontier, step) = (start, [first], 1)
    while length frontier > 0 do
      let reached =
        frontier
        |> map (\x ->
          map (\k ->
                 if k < degree g x
                 then g.targets[g.starts[x] + k]
                 else -1)
              (iota v))
        |> flatten
        |> filter (\y -> y >= 0 && distances[y] < 0)
      let distances =
        scatter (copy distances) reached (map (const step) reached)
      let fresh = filter (\y -> distances[y] == step) (iota v)
      in (distances, fresh, step + 1)
  in distances

entry distances [e] (v: i64) (sources: [e]i64) (targets: [e]i64) : [v]i64 =
  breadth_first (from_edges v (zip sources targets)) 0

-- | All shortest ways, by the method of Floyd and Warshall.
entry shortest_ways [n] (lengths: [n][n]f32) : [n][n]f32 =
  loop d = lengths for k < n do
    let through = copy d[k]
    in map (\row ->
      map2 (\direct rest -> f32.min direct (row[k] + rest)) row through) d

entry page_rank [v] (links: [v][v]bool) (steps: i32) : [v]f64 =
  let out = map (\row -> f64.i64 (i64.max 1 (i64.sum (map i64.bool row)))) links
  let step (ranks: [v]f64) =
    let shares = map2 (/) ranks out
    let incoming =
      map (\column -> f64.sum (map2 (\l s -> if l then s else 0) column shares))
          (transpose links)
    in map (\x -> 0.15 / f64.i64 v + 0.85 * x) incoming
  in iterate steps step (replicate v (1 / f64.i64 v))

-- Text ---------------------------------------------------------------------------------------------

type text [n] = [n]u8

module ascii = {
  def is_digit (c: u8) : bool = c >= '0' && c <= '9'
  def is_lower (c: u8) : bool = c >= 'a' && c <= 'z'
  def is_upper (c: u8) : bool = c >= 'A' && c <= 'Z'
  def is_letter (c: u8) : bool = is_lower c || is_upper c
  def is_blank (c: u8) : bool = c == ' ' || c == '\n' || c == '\t'
  def to_upper (c: u8) : u8 = if is_lower c then c - 32 else c
  def to_lower (c: u8) : u8 = if is_upper c then c + 32 else c
}

entry count_words [n] (s: text [n]) : i64 =
  let starts i = !(ascii.is_blank s[i]) && (i == 0 || ascii.is_blank s[i - 1])
  in i64.sum (map (\i -> i64.bool (starts i)) (iota n))

entry letter_frequencies [n] (s: text [n]) : [26]i64 =
  let letters = filter ascii.is_letter s
  in hist (+)
          0
          26
          (map (\c -> i64.u8 (ascii.to_lower c - 'a')) letters)
          (map (const 1) letters)

def shift_letter (k: u8) (c: u8) : u8 =
  if ascii.is_lower c
  then 'a' + (c - 'a' + k) % 26
  else if ascii.is_upper c
  then 'A' + (c - 'A' + k) % 26
  else c

entry caesar [n] (k: u8) (s: text [n]) : text [n] =
  map (shift_letter (k % 26)) s

-- | Numbers in decimal, separated by anything else.
entry read_numbers [n] (s: text [n]) : []i64 =
  let ends i = ascii.is_digit s[i] && (i + 1 == n || !(ascii.is_digit s[i + 1]))
  let step (fa, a, pa) (fb, b, pb) =
    if fb then (true, b, pb) else (fa, a * pb + b, pa * pb)
  let digit c =
    if ascii.is_digit c then (false, i64.u8 (c - '0'), 10) else (true, 0, 1)
  let values = map (.1) (scan step (false, 0, 1) (map digit s))
  in map (\i -> values[i]) (filter ends (iota n))

entry is_palindrome [n] (s: text [n]) : bool =
  let letters = map ascii.to_lower (filter ascii.is_letter s)
  in and (map2 (==) letters (reverse letters))

-- | How many changes of one letter make one text of the other.
entry edit_distance [n] [m] (a: text [n]) (b: text [m]) : i64 =
  let first = iota (m + 1)
  let last_row =
    loop row = first for i < n do
      let next = replicate (m + 1) (i + 1)
      in loop next for j < m do
           let replace = row[j] + (if a[i] == b[j] then 0 else 1)
           let change = i64.min (row[j + 1] + 1) (next[j] + 1)
           in next with [j + 1] = i64.min replace change
  in last_row[m]

-- | Where the pattern stands in the text.
entry occurrences [n] [m] (pattern: text [m]) (s: text [n]) : []i64 =
  let here i = and (map (\j -> s[i + j] == pattern[j]) (iota m))
  in filter (\i -> i + m <= n && here i) (iota n)

-- Signals ------------------------------------------------------------------------------------------

-- | The Fourier transform of a signal whose length is two to the power of `bits`.
def fft [n] (inverse: bool) (bits: i64) (xs: [n]complex.t) : [n]complex.t =
  let sign = if inverse then 1 else -1
  let reverse_bits i =
    let (r, _) =
      loop (r, i) = (0, i) for _k < bits do ((r << 1) | (i & 1), i >> 1)
    in r
  let start = map (\i -> xs[reverse_bits i]) (iota n)
  let result =
    loop ys = start for s < bits do
      let half = 1 << s
      let butterfly i =
        let k = i % (2 * half)
        let low = if k < half then i else i - half
        let angle = sign * f64.pi * f64.i64 (k % half) / f64.i64 half
        let t = complex.mul (complex.polar 1 angle) ys[low + half]
        in if k < half then complex.add ys[low] t else complex.sub ys[low] t
      in map butterfly (iota n)
  let scale (z: complex.t) = complex.make (z.re / f64.i64 n) (z.im / f64.i64 n)
  in if inverse then map scale result else result

entry power_spectrum [n] (bits: i64) (xs: [n]f64) : [n]f64 =
  map complex.norm (fft false bits (map complex.from_f64 xs))

entry fft_round_trip [n] (bits: i64) (xs: [n]f64) : f64 =
  let there = fft false bits (map complex.from_f64 xs)
  let back = fft true bits there
  in f64.maximum (map2 (\x (z: complex.t) -> f64.abs (x - z.re)) xs back)

-- | A filter that keeps low tones: each output is a mean of input and output before.
entry low_pass [n] (k: f64) (xs: [n]f64) : [n]f64 =
  let step (a, b) (c, d) = (a * c, b * c + d)
  in map (.1) (scan step (1, 0) (map (\x -> (1 - k, k * x)) xs))

-- Simulation ---------------------------------------------------------------------------------------

-- | Heat that spreads on a plate whose edges are kept as they are.
entry heat [h] [w] (steps: i32) (k: f64) (plate: [h][w]f64) : [h][w]f64 =
  let step (p: [h][w]f64) =
    tabulate_2d h w (\y x ->
      if y == 0 || x == 0 || y == h - 1 || x == w - 1
      then p[y, x]
      else p[y, x]
           + k
             * (p[y - 1, x]
                + p[y + 1, x]
                + p[y, x - 1]
                + p[y, x + 1]
                - 4 * p[y, x]))
  in iterate steps step plate

-- | Any method that moves a state forward by a small step.
module type integrator = {
  val step [n] : (f64 -> [n]f64 -> [n]f64) -> f64 -> f64 -> [n]f64 -> [n]f64
}

module euler : integrator = {
  def step [n]
           (f: f64 -> [n]f64 -> [n]f64)
           (dt: f64)
           (t: f64)
           (y: [n]f64) : [n]f64 =
    map2 (\a d -> a + dt * d) y (f t y)
}

module runge_kutta : integrator = {
  def step [n]
           (f: f64 -> [n]f64 -> [n]f64)
           (dt: f64)
           (t: f64)
           (y: [n]f64) : [n]f64 =
    let from k slope = map2 (\a d -> a + k * dt * d) y slope
    let k1 = f t y
    let k2 = f (t + dt / 2) (from 0.5 k1)
    let k3 = f (t + dt / 2) (from 0.5 k2)
    let k4 = f (t + dt) (from 1 k3)
    in map5 (\start a b c d -> start + dt / 6 * (a + 2 * b + 2 * c + d))
            y
            k1
            k2
            k3
            k4
}

module simulation (i: integrator) = {
  def run [n]
          (f: f64 -> [n]f64 -> [n]f64)
          (dt: f64)
          (steps: i64)
          (start: [n]f64) : [steps][n]f64 =
    let states = replicate steps (replicate n 0)
    let (states, _) =
      loop (states, y) = (states, start) for k < steps do
        let y = i.step f dt (f64.i64 k * dt) y
        in (states with [k] = y, y)
    in states
}

module precise = simulation runge_kutta
module rough = simulation euler

def lotka_volterra (_: f64) (y: [2]f64) : [2]f64 =
  let (prey, predators) = (y[0], y[1])
  in [prey * (1.1 - 0.4 * predators), predators * (0.1 * prey - 0.4)]

entry populations (steps: i64) : [steps][2]f64 =
  precise.run lotka_volterra 0.01 steps [10, 10]

entry method_difference (steps: i64) : f64 =
  let a = precise.run lotka_volterra 0.01 steps [10, 10]
  let b = rough.run lotka_volterra 0.01 steps [10, 10]
  in f64.maximum (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten b))

-- | Random walks: how far each has come after so many steps.
entry walks (count: i64) (steps: i32) (seed: i32) : [count]f64 =
  let walk s =
    let (_, x, y) =
      loop (s, x, y) = (s, 0, 0) for _i < steps do
        let (s, angle) = dice.uniform s
        in ( s
           , x + f64.cos (2 * f64.pi * angle)
           , y + f64.sin (2 * f64.pi * angle)
           )
    in f64.sqrt (x * x + y * y)
  in map walk (dice.split count (dice.seed seed))

-- A small machine ----------------------------------------------------------------------------------

type instruction =
    #push i64
  | #add
  | #mul
  | #swap
  | #dup
  | #jump_if_zero i64
  | #stop

type machine [n] = {stack: [n]i64, top: i64, counter: i64, running: bool}

def execute [n] (m: *machine [n]) (i: instruction) : *machine [n] =
  let {stack, top, counter, running} = m
  let next = counter + 1
  in match i
     case #push x ->
       {stack = stack with [top] = x, top = top + 1, counter = next, running}
     case #add ->
       let sum = stack[top - 1] + stack[top - 2]
       in { stack = stack with [top - 2] = sum
          , top = top - 1
          , counter = next
          , running
          }
     case #mul ->
       let product = stack[top - 1] * stack[top - 2]
       in { stack = stack with [top - 2] = product
          , top = top - 1
          , counter = next
          , running
          }
     case #swap ->
       let (a, b) = (stack[top - 1], stack[top - 2])
       let stack = stack with [top - 1] = b
       in {stack = stack with [top - 2] = a, top, counter = next, running}
     case #dup ->
       let x = stack[top - 1]
       in {stack = stack with [top] = x, top = top + 1, counter = next, running}
     case #jump_if_zero target ->
       let x = stack[top - 1]
       in { stack
          , top = top - 1
          , counter = if x == 0 then target else next
          , running
          }
     case #stop -> {stack, top, counter, running = false}

entry run_machine (x: i64) : i64 =
  let program: [5]instruction = [#push x, #dup, #mul, #push 1, #add]
  let start =
    {stack = replicate 16 0i64, top = 0i64, counter = 0i64, running = true}
  let end =
    loop m = start while m.running do
      execute m
              (if m.counter < length program then program[m.counter] else #stop)
  in end.stack[0]

-- Games --------------------------------------------------------------------------------------------

type cell = #free | #cross | #nought

def same_cell (a: cell) (b: cell) : bool =
  match (a, b)
  case (#free, #free) -> true
  case (#cross, #cross) -> true
  case (#nought, #nought) -> true
  case _ -> false

def lines : [8][3]i64 =
  [ [0, 1, 2]
  , [3, 4, 5]
  , [6, 7, 8]
  , [0, 3, 6]
  , [1, 4, 7]
  , [2, 5, 8]
  , [0, 4, 8]
  , [2, 4, 6]
  ]

def has_won (player: cell) (board: [9]cell) : bool =
  any (\line -> all (\i -> same_cell player board[i]) line) lines

-- | How a game of noughts and crosses ends if both play well: 1, 0 or -1 for the one whose turn it is.
def outlook (depth: i32) (player: cell) (other: cell) (board: [9]cell) : i32 =
  if has_won other board
  then -1
  else if depth == 0
  then 0
  else
    let try i =
      match board[i]
      case #free ->
        -(outlook (depth - 1) other player (copy board with [i] = player))
      case _ -> -2
    in reduce i32.max (-1) (map try (iota 9))

entry best_opening : i64 =
  let board: [9]cell = replicate 9 #free
  let score i = outlook 3 #nought #cross (copy board with [i] = #cross)
  let better (i, a) (j, b) =
    if a < b || (a == b && i < j) then (i, a) else (j, b)
  in (reduce better (-1, i32.highest) (zip (iota 9) (map score (iota 9)))).0

-- | Positions of eight queens that do not threaten each other, counted over all first moves.
entry queens (n: i64) : i64 =
  let safe (placed: [n]i64) (row: i64) (column: i64) =
    all (\r ->
      r >= row
      || (placed[r] != column
          && i64.abs (placed[r] - column) != row - r)) (iota n)
  let count first =
    let (_, _, found) =
      loop (placed, row, found) = (replicate n (-1) with [0] = first, 1, 0)
      while row >= 1 do
        let column =
          loop c = placed[row] + 1 while c < n && !(safe placed row c) do c + 1
        in if column >= n
           then (placed with [row] = -1, row - 1, found)
           else if row == n - 1
           then (placed with [row] = column, row, found + 1)
           else (placed with [row] = column, row + 1, found)
    in found
  in i64.sum (map count (iota n))

-- Search and optimisation --------------------------------------------------------------------------

-- | Where a function that changes sign in the interval is zero.
def bisect (f: f64 -> f64) (low: f64) (high: f64) : f64 =
  let (low, high) =
    loop (low, high) = (low, high) for _i < 60i32 do
      let middle = (low + high) / 2
      in if f64.sgn (f middle) == f64.sgn (f low)
         then (middle, high)
         else (low, middle)
  in (low + high) / 2

def newton (f: f64 -> f64) (f': f64 -> f64) (start: f64) : f64 =
  iterate 40 (\x -> x - f x / f' x) start

entry square_roots [n] (xs: [n]f64) : [n](f64, f64) =
  map (\a ->
    ( bisect (\x -> x * x - a) 0 (a + 1)
    , newton (\x -> x * x - a) (\x -> 2 * x) (a + 1)
    )) xs

def simpson (f: f64 -> f64) (low: f64) (high: f64) (n: i64) : f64 =
  let h = (high - low) / f64.i64 (2 * n)
  let weight i = if i == 0 || i == 2 * n then 1 else if i % 2 == 1 then 4 else 2
  in h
     / 3
     * f64.sum (map (\i -> weight i * f (low + h * f64.i64 i))
                    (iota (2 * n + 1)))

entry bell_area (n: i64) : f64 =
  simpson (\x -> f64.exp (-x * x / 2)) (-8) 8 n / f64.sqrt (2 * f64.pi)

-- | Coordinate by coordinate, with steps that become smaller where nothing improves.
def pattern_search [n]
                   (f: [n]f64 -> f64)
                   (start: [n]f64)
                   (steps: i32) : ([n]f64, f64) =
  let (best, value, _) =
    loop (best, value, width) = (copy start, f start, 1) for _i < steps do
      let candidates =
        map (\k ->
          let i = k / 2
          let d = if k % 2 == 0 then width else -width
          in map2 (\j x -> if j == i then x + d else x)
                  (iota n)
                  best) (iota (2 * n))
      let values = map f candidates
      let better (i, a) (j, b) =
        if a < b || (a == b && i < j) then (i, a) else (j, b)
      let (i, least) = reduce better (-1, f64.inf) (zip (iota (2 * n)) values)
      in if least < value
         then (copy candidates[i], least, width)
         else (best, value, width / 2)
  in (best, value)

entry rosenbrock_minimum (steps: i32) : ([2]f64, f64) =
  pattern_search (\p -> (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2)
                 [-1, 1]
                 steps

-- | Which of the things to take, if only so much can be carried: the greatest total value.
entry knapsack [n] (capacity: i64) (weights: [n]i64) (values: [n]i64) : i64 =
  let best =
    loop best = replicate (capacity + 1) 0 for i < n do
      let with_item c =
        if c >= weights[i] then best[c - weights[i]] + values[i] else 0
      in map (\c -> i64.max best[c] (with_item c)) (iota (capacity + 1))
  in best[capacity]

-- | The greatest sum of successive elements.
entry greatest_sum [n] (xs: [n]i64) : i64 =
  let whole x = (i64.max 0 x, i64.max 0 x, i64.max 0 x, x)
  let join (best, left, right, total) (best', left', right', total') =
    ( i64.max (i64.max best best') (right + left')
    , i64.max left (total + left')
    , i64.max right' (right + total')
    , total + total'
    )
  in (reduce join (0, 0, 0, 0) (map whole xs)).0

-- Calendar -----------------------------------------------------------------------------------------

type date = {year: i64, month: i64, day: i64}

def is_leap (year: i64) : bool =
  (year % 4 == 0 && year % 100 != 0) || year % 400 == 0

-- | Days since the first of March of the year 0.
def day_number (d: date) : i64 =
  let y = if d.month <= 2 then d.year - 1 else d.year
  let m = (d.month + 9) % 12
  in 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + d.day - 1

def weekday (d: date) : i64 = (day_number d + 3) % 7

entry fridays_the_thirteenth (from: i64) (years: i64) : i64 =
  let is_one k =
    weekday {year = from + k / 12, month = k % 12 + 1, day = 13} == 5
  in i64.sum (map (\k -> i64.bool (is_one k)) (iota (12 * years)))

-- | The value of a sum of money after each year, with interest and regular payments.
entry savings (years: i64)
              (start: f64)
              (payment: f64)
              (rate: f64) : [years]f64 =
  let year = (1 + rate, payment)
  let join (a, b) (c, d) = (a * c, b * c + d)
  in map (\(a, b) -> start * a + b) (scan join (1, 0) (replicate years year))
