-- | The discrete Fourier transform, of any length.
--
-- Element `k` of the transform of `x` is the sum of all `x[j] * exp (-2 pi i j k / n)`. Powers of two
-- are transformed by Stockham's method with radix 4, which needs no reordering and reads and writes
-- neighbours side by side; other lengths by Bluestein's, as a convolution of the next power of two
-- beyond `2n - 1`. A transform of real numbers of an even length is one of complex numbers of half the
-- length.
--
-- Many transforms at once are a `map`, and those in several dimensions are maps, too. `fft`@module
-- works on numbers of type `f64`, `fft_f32`@module on those of type `f32`; complex numbers are pairs as
-- in `/norn/complex`.
--
-- If no cost is stated, it is **Work:** *O(n ✕ log(n))*, **Span:** *O(log(n))*, where for arrays of two
-- dimensions *n* is the number of elements.

import "complex"

-- | Transforms of complex numbers of type `C.t`.
module mk_fft (C: complex) = {
  local module R = C.R
  type real = R.t
  type complex = C.t

  -- The number of magnitude 1 at the fraction `k / n` of a turn, clockwise.
  local def turn (k: i64) (n: i64) : complex =
    let angle = R.from_fraction (i64.neg (2 * k)) n
    in C.mk (R.cospi angle) (R.sinpi angle)

  -- The logarithm of a power of two.
  local def log2 (n: i64) : i64 = i64.i32 (i64.ctz n)

  -- The four sums of four numbers with the powers of `-i`.
  local def four (a: complex, b: complex, c: complex, d: complex)
      : (complex, complex, complex, complex) =
    let s = a C.+ c
    let t = a C.- c
    let u = b C.+ d
    let v = b C.- d
    let v = C.mk (C.im v) (R.neg (C.re v))
    in (s C.+ u, t C.+ v, s C.- u, t C.- v)

  -- The first quarter of the `n`th roots of one, which a transform of a power of two needs.
  local def roots (n: i64) : [n / 4]complex =
    tabulate (n / 4) (\k -> turn k n)

  -- The transform of a power of two, at least 4. After each pass there are transforms of `ns` elements,
  -- of which every fourth part is in an array of its own: what a thread computes goes to four arrays,
  -- at its own place in each.
  local def by_four [n] (roots: [n / 4]complex) (xs: [n]complex) : [n]complex =
    let m = n / 4
    -- One step of a pass. Numbers come from transforms of `2 ** bits` elements.
    let step (get: i64 -> complex)
             (bits: i64)
             (j: i64)
        : (complex, complex, complex, complex) =
      let k = j & ((1 << bits) - 1)
      let w = #[unsafe] roots[(k * m) >> bits]
      let w2 = w C.* w
      in four ( get j
              , w C.* get (j + m)
              , w2 C.* get (j + 2 * m)
              , (w2 C.* w) C.* get (j + 3 * m)
              )
    let odd = log2 n % 2
    -- If the number of bits is odd, one pass of radix 2 comes first.
    let first (i: i64) : complex =
      if odd == 0
      then #[unsafe] xs[i]
      else let a = #[unsafe] xs[i >> 1]
           let b = #[unsafe] xs[(i >> 1) + n / 2]
           in if i & 1 == 0 then a C.+ b else a C.- b
    let (a, b, c, d) = unzip4 (map (step first odd) (iota m))
    -- Element `i` of transforms of `2 ** bits` elements.
    let part (a: [m]complex, b: [m]complex, c: [m]complex, d: [m]complex)
             (bits: i64)
             (i: i64) : complex =
      let part = (i >> (bits - 2)) & 3
      let at = ((i >> bits) << (bits - 2)) + (i & ((1 << (bits - 2)) - 1))
      in #[unsafe]
         if part == 0
         then a[at]
         else if part == 1
         then b[at]
         else if part == 2
         then c[at]
         else d[at]
    let (parts, bits) =
      loop (parts, bits) = ((a, b, c, d), odd + 2)
      while bits < log2 n do
        (unzip4 (map (step (part parts bits) bits) (iota m)), bits + 2)
    in tabulate n (part parts bits)

  -- The transform of a power of two.
  local def of_power [n] (roots: [n / 4]complex) (xs: [n]complex) : [n]complex =
    if n >= 4
    then by_four roots xs
    else if n == 2
    then [xs[0] C.+ xs[1], xs[0] C.- xs[1]] :> [n]complex
    else xs

  -- | The transform.
  --
  -- One of a length that is no power of two is a convolution with a chirp (Bluestein 1970), since
  -- `j * k` is half of `j * j + k * k - (j - k) * (j - k)`. The convolution's own transforms are those of
  -- a power of two, so that the last of them is the same code as the transform of a power of two.
  def fft [n] (xs: [n]complex) : [n]complex =
    let is_power = n & (n - 1) == 0
    let m = if is_power then n else 1 << i64.i32 (64 - i64.clz (2 * n - 2))
    let roots = roots m
    -- Squares are taken around the full turn before they become inexact.
    let chirp =
      tabulate (if is_power then 0 else n) (\k ->
        turn (k * k % (2 * n)) (2 * n))
    let ys =
      if is_power
      then xs :> [m]complex
      else let padded =
             tabulate m (\i -> if i < n then xs[i] C.* chirp[i] else C.zero)
           let around =
             tabulate m (\i ->
               if i < n
               then C.conj chirp[i]
               else if i > m - n
               then C.conj chirp[m - i]
               else C.zero)
           let both = map (of_power roots) [padded, around]
           in map2 (\x y -> C.conj (x C.* y)) both[0] both[1]
    let zs = of_power roots ys
    in if is_power
       then zs :> [n]complex
       else -- The inverse transform is that of conjugates, divided by the length.
         let scale = R.from_fraction 1 m
         in tabulate n (\i -> C.scale scale (C.conj zs[i]) C.* chirp[i])

  -- | The inverse transform: `ifft (fft xs)` is `xs`.
  def ifft [n] (xs: [n]complex) : [n]complex =
    let scale = R.from_fraction 1 n
    in map (\x -> C.scale scale (C.conj x)) (fft (map C.conj xs))

  -- | The first `n / 2 + 1` elements of the transform of real numbers. The others are conjugates of
  -- these.
  --
  -- If `n` is even, the even elements are the real parts and the odd ones the imaginary parts of a
  -- transform of half the length, from which symmetry takes them apart.
  def rfft [n] (xs: [n]real) : [n / 2 + 1]complex =
    let is_even = n % 2 == 0
    let m = if is_even then n / 2 else n
    let zs =
      fft (tabulate m (\i ->
        if is_even then C.mk xs[2 * i] xs[2 * i + 1] else C.mk_re xs[i]))
    let half = R.from_fraction 1 2
    in tabulate (n / 2 + 1) (\k ->
      if m == 0
      then C.zero
      else let z = zs[if k == m then 0 else k]
           in if is_even
              then let y = C.conj zs[if k == 0 then 0 else m - k]
                   let even = C.scale half (z C.+ y)
                   let odd = C.scale half (z C.- y)
                   -- Multiplied by `-i`.
                   let odd = C.mk (C.im odd) (R.neg (C.re odd))
                   in even C.+ turn k n C.* odd
              else z)

  -- | The transform of real numbers.
  def fft_re [n] (xs: [n]real) : [n]complex =
    let half = rfft xs
    in tabulate n (\k -> if k <= n / 2 then half[k] else C.conj half[n - k])

  -- | The `n` real numbers whose transform begins with these `n / 2 + 1`: `irfft n (rfft xs)` is `xs`,
  -- if it has `n` elements.
  def irfft [k] (n: i64) (half: [k]complex) : [n]real =
    let scale = R.from_fraction 1 n
    let half = half :> [n / 2 + 1]complex
    let is_even = n % 2 == 0
    let m = if is_even then n / 2 else n
    let zs =
      fft (tabulate m (\k ->
        if is_even
        then -- The sum of the even elements' transform and `i` times the odd ones'.
          let z = half[k]
          let y = C.conj half[m - k]
          let even = z C.+ y
          let odd = C.conj (turn k n) C.* (z C.- y)
          in C.conj (even C.+ C.mk (R.neg (C.im odd)) (C.re odd))
        else if k <= n / 2
        then C.conj half[k]
        else half[n - k]))
    in tabulate n (\i ->
      scale
      R.* (if !is_even
           then C.re zs[i]
           else let z = zs[i / 2]
                in if i % 2 == 0 then C.re z else R.neg (C.im z)))

  -- | The transform in two dimensions.
  def fft2 [n] [m] (xss: [n][m]complex) : [n][m]complex =
    transpose (map fft (transpose (map fft xss)))

  -- | The inverse transform in two dimensions.
  def ifft2 [n] [m] (xss: [n][m]complex) : [n][m]complex =
    transpose (map ifft (transpose (map ifft xss)))

  -- | The transform of real numbers in two dimensions.
  def fft2_re [n] [m] (xss: [n][m]real) : [n][m]complex =
    transpose (map fft (transpose (map fft_re xss)))

  -- | The first `m / 2 + 1` columns of the transform of real numbers in two dimensions. The others are
  -- conjugates of these.
  def rfft2 [n] [m] (xss: [n][m]real) : [n][m / 2 + 1]complex =
    transpose (map fft (transpose (map rfft xss)))

  -- | The rows of `m` real numbers whose transform in two dimensions begins with these `m / 2 + 1`
  -- columns: `irfft2 m (rfft2 xss)` is `xss`, if there are rows and columns.
  def irfft2 [n] [k] (m: i64) (half: [n][k]complex) : [n][m]real =
    map (irfft m) (transpose (map ifft (transpose half)))

  -- | The convolution of two sequences, each as long as the other and taken around the end: element `k`
  -- is the sum of `xs[j] * ys[k - j]`.
  def convolve [n] (xs: [n]complex) (ys: [n]complex) : [n]complex =
    ifft (map2 (C.*) (fft xs) (fft ys))

  -- | The product of two polynomials with real coefficients, or the convolution of two sequences that
  -- end: element `k` is the sum of all `xs[j] * ys[k - j]` that exist. Of an empty sequence the result
  -- is empty.
  def convolve_re [n] [m] (xs: [n]real) (ys: [m]real) : []real =
    if n == 0 || m == 0
    then []
    else let k = n + m - 1
         let size = 1 << i64.i32 (64 - i64.clz (k - 1))
         let pad [l] (xs: [l]real) : [size]real =
           tabulate size (\i -> if i < l then xs[i] else R.i64 0)
         let zs = map2 (C.*) (rfft (pad xs)) (rfft (pad ys))
         in (irfft size zs)[:k]

  -- | The frequencies that the elements of a transform stand for, in cycles for each sample: 0, `1/n`,
  -- `2/n` up to a half, and the negative ones.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def frequencies (n: i64) : [n]real =
    tabulate n (\k -> R.from_fraction (if k < (n + 1) / 2 then k else k - n) n)
}

-- | Transforms with double precision.
module fft = mk_fft c64

-- | Transforms with single precision.
module fft_f32 = mk_fft c32
