-- | Random numbers for parallel programs.
--
-- The generators are counter based (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as
-- 1, 2, 3, 2011): number `k` of stream `s` is a hash of `k` and `s` under a key. Nothing is updated, so
-- each thread has a stream of its own, any number can be computed at once, and a program draws the same
-- numbers on every machine, however many threads there are.
--
-- A generator is a small value of type `rng`. What draws from it returns the generator to go on with:
--
-- ```
-- let r = random.seed 42
-- let (r, x) = random.uniform r
-- let (r, ys) = random.many 1000 random.normal r
-- ```
--
-- `random`@module draws numbers of type `f64`, `random_f32`@module of type `f32`; both use
-- `philox`@module. `mk_random`@module combines any engine with any type. Not for cryptography.

-- | A hash from counters to random bits.
module type engine = {
  type key

  -- | The key that a seed determines.
  val key : u64 -> key

  -- | The 128 bits at a position of a stream.
  val block : key -> (stream: u64) -> (position: u64) -> (u64, u64)

  -- | A key for the streams that begin at a position of a stream, unrelated to its numbers.
  val child : key -> (stream: u64) -> (position: u64) -> key
}

-- Shift to the right with zeros.
local def shift (x: u64) (by: u64) : u64 = x u64.>>> by

-- The halves of a number.
local def low (x: u64) : u32 = u32.u64 x
local def high (x: u64) : u32 = u32.u64 (shift x 32)
local def pair (low: u32) (high: u32) : u64 =
  u64.u32 low u64.| (u64.u32 high u64.<< 32)

-- | Philox 4x32 with 10 rounds, as in Random123, cuRAND and PyTorch: products of 32-bit numbers.
module philox : engine with key = (u32, u32) = {
  type key = (u32, u32)

  def key (seed: u64) : key = (low seed, high seed)

  def block (key: key) (stream: u64) (position: u64) : (u64, u64) =
    let (c0, c1, c2, c3, _, _) =
      loop (c0, c1, c2, c3, k0, k1) =
             ( low position
             , high position
             , low stream
             , high stream
             , key.0
             , key.1
             )
      for _i < 10i32 do
        let p = u64.u32 c0 * 0xD2511F53
        let q = u64.u32 c2 * 0xCD9E8D57
        in ( high q ^ c1 ^ k0
           , low q
           , high p ^ c3 ^ k1
           , low p
           , k0 + 0x9E3779B9
           , k1 + 0xBB67AE85
           )
    in (pair c0 c1, pair c2 c3)

  def child (key: key) (stream: u64) (position: u64) : key =
    let (bits, _) = block (!key.0, !key.1) stream position
    in (low bits, high bits)
}

-- | Threefry 2x64 with 20 rounds: sums, rotations and exclusive or of 64-bit numbers, and keys of 128
-- bits.
module threefry : engine with key = (u64, u64) = {
  type key = (u64, u64)

  def key (seed: u64) : key = (seed, 0)

  local def rotate (x: u64) (by: u64) : u64 =
    (x u64.<< by) | shift x (64 - by)

  -- Four rounds, and a part of the key after them.
  local def rounds (x: u64, y: u64)
                   (r0: u64, r1: u64, r2: u64, r3: u64)
                   (k0: u64)
                   (k1: u64) : (u64, u64) =
    let mix (x: u64, y: u64) (r: u64) : (u64, u64) =
      (x + y, rotate y r ^ (x + y))
    let (x, y) = mix (mix (mix (mix (x, y) r0) r1) r2) r3
    in (x + k0, y + k1)

  def block (key: key) (stream: u64) (position: u64) : (u64, u64) =
    let (k0, k1) = key
    let k2 = 0x1BD11BDAA9FC1A22 ^ k0 ^ k1
    let odd = (16, 42, 12, 31)
    let even = (16, 32, 24, 21)
    let s = (position + k0, stream + k1)
    let s = rounds s odd k1 (k2 + 1)
    let s = rounds s even k2 (k0 + 2)
    let s = rounds s odd k0 (k1 + 3)
    let s = rounds s even k1 (k2 + 4)
    in rounds s odd k2 (k0 + 5)

  def child (key: key) (stream: u64) (position: u64) : key =
    block (!key.0, !key.1) stream position
}

-- | Random numbers from an engine, with real numbers of type `R.t`.
--
-- All functions that draw one value take constant expected time, except for `poisson` with a small
-- mean, which takes time proportional to it.
module mk_random (E: engine) (R: float) = {
  -- | A place in a stream.
  type rng = {key: E.key, stream: u64, at: u64}

  -- | The generator that a number determines. Different seeds give unrelated generators.
  def seed (seed: i64) : rng =
    {key = E.key (u64.i64 seed), stream = 0, at = 0}

  -- | The generator that some numbers determine.
  --
  -- **Work:** *O(n)*. **Span:** *O(n)*.
  def rng_from_seed [n] (seeds: [n]i32) : rng =
    let key =
      loop key = E.key (u64.i64 n) for s in seeds do
        E.child key (u64.i32 s) 0
    in {key, stream = 0, at = 0}

  -- | The generator after `k` draws of bits.
  def skip (k: i64) (r: rng) : rng = r with at = r.at + u64.i64 k

  -- | Stream `i` of those that begin here. All streams that begin at one place differ from each other
  -- and from the generator itself, and those that begin at different places, too, but for one case in
  -- 2^64.
  def stream (r: rng) (i: i64) : rng =
    {key = E.child r.key r.stream r.at, stream = u64.i64 i, at = 0}

  -- | The first `n` streams that begin here, one for each thread. Go on with one of these, or with
  -- `skip 1 r`.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def split_rng (n: i64) (r: rng) : [n]rng =
    let key = E.child r.key r.stream r.at
    in map (\i -> {key, stream = u64.i64 i, at = 0}) (iota n)

  -- The next two draws that are in one block.
  local def both (r: rng) : (rng, (u64, u64)) =
    let position = shift (r.at + 1) 1
    in (r with at = 2 * position + 2, E.block r.key r.stream position)

  -- | Random bits.
  def bits (r: rng) : (rng, u64) =
    let (first, second) = E.block r.key r.stream (shift r.at 1)
    in ( r with at = r.at + 1
       , if r.at % 2 == 0 then first else second
       )

  local def digits : u64 =
    if R.num_bits == 64 then 53 else if R.num_bits == 32 then 24 else 11

  local def unit (x: u64) : R.t =
    R.u64 (shift x (64 - digits))
    R.* R.ldexp (R.i64 1) (i32.neg (i32.u64 digits))

  -- | A number in [0, 1), all multiples of the distance between the numbers below 1 with the same
  -- probability.
  def uniform (r: rng) : (rng, R.t) =
    let (r, x) = bits r
    in (r, unit x)

  -- | A number between two others.
  def uniform_in (low: R.t) (high: R.t) (r: rng) : (rng, R.t) =
    let (r, u) = uniform r
    in (r, R.(low + u * (high - low)))

  -- | An integer from 0 up to, but not including, `n`, each with exactly the same probability (Lemire,
  -- Fast random integer generation in an interval, 2019). Fails if `n` is not positive.
  def below (n: i64) (r: rng) : (rng, i64) =
    let n = assert (n > 0) (u64.i64 n)
    let (r, x) = bits r
    -- A low half below this belongs to a number with one chance more than others.
    let biased = if x * n < n then (0 - n) % n else 0
    let (r, x) =
      loop (r, x) = (r, x) while x * n < biased do bits r
    in (r, i64.u64 (u64.mul_hi x n))

  -- | An integer from `low` to `high`, both included, each with exactly the same probability.
  def int (low: i64) (high: i64) (r: rng) : (rng, i64) =
    let (r, k) = below (high - low + 1) r
    in (r, low + k)

  -- | True with this probability.
  def bernoulli (p: R.t) (r: rng) : (rng, bool) =
    let (r, u) = uniform r
    in (r, u R.< p)

  -- Two independent normal numbers (Box and Muller 1958).
  local def box_muller (x: u64, y: u64) : (R.t, R.t) =
    let radius = R.(sqrt (neg (i64 2) * log (i64 1 - unit x)))
    let angle = R.(i64 2 * unit y)
    in (radius R.* R.cospi angle, radius R.* R.sinpi angle)

  -- | A number with the standard normal distribution.
  def normal (r: rng) : (rng, R.t) =
    let (r, xy) = both r
    in (r, (box_muller xy).0)

  -- | A number with an exponential distribution of mean 1.
  def exponential (r: rng) : (rng, R.t) =
    let (r, u) = uniform r
    in (r, R.(neg (log1p (neg u))))

  -- | A number with a gamma distribution of this shape, which must be positive, and scale 1 (Marsaglia
  -- and Tsang, A simple method for generating gamma variables, 2000).
  def gamma (shape: R.t) (r: rng) : (rng, R.t) =
    let small = R.(shape < i64 1)
    let (r, u) = uniform r
    let boost = if small then R.((i64 1 - u) ** (i64 1 / shape)) else R.i64 1
    let d = R.((if small then shape + i64 1 else shape) - from_fraction 1 3)
    let c = R.(i64 1 / sqrt (i64 9 * d))
    let try (r: rng) : (rng, bool, R.t) =
      let (r, x) = normal r
      let (r, u) = uniform r
      let w = R.(i64 1 + c * x)
      let v = R.(w * w * w)
      let accepted =
        R.(v > i64 0
           && log (i64 1 - u)
              < from_fraction 1 2 * x * x + d - d * v + d * log v)
      in (r, accepted, R.(d * v))
    let (r, _, x) =
      loop (r, accepted, _x) = try r while !accepted do try r
    in (r, boost R.* x)

  -- | A number with a beta distribution.
  def beta (a: R.t) (b: R.t) (r: rng) : (rng, R.t) =
    let (r, x) = gamma a r
    let (r, y) = gamma b r
    in (r, R.(x / (x + y)))

  -- Counts events until their time is up.
  local def few (mean: R.t) (r: rng) : (rng, i64) =
    let (r, _, k) =
      loop (r, left, k) = (r, mean, -1) while R.(left >= i64 0) do
        let (r, wait) = exponential r
        in (r, left R.- wait, k + 1)
    in (r, k)

  -- Transformed rejection with a squeeze (Hoermann, The transformed rejection method for generating
  -- Poisson random variables, 1993).
  local def many_events (mean: R.t) (r: rng) : (rng, i64) =
    let b = R.(f64 0.931 + f64 2.53 * sqrt mean)
    let a = R.(f64 0.02483 * b - f64 0.059)
    let inverse_alpha = R.(f64 1.1239 + f64 1.1328 / (b - f64 3.4))
    let squeeze = R.(f64 0.9277 - f64 3.6224 / (b - i64 2))
    let try (r: rng) : (rng, bool, R.t) =
      let (r, u) = uniform r
      let (r, v) = uniform r
      let u = R.(u - from_fraction 1 2)
      let v = R.(i64 1 - v)
      let us = R.(from_fraction 1 2 - abs u)
      let k = R.(floor ((i64 2 * a / us + b) * u + mean + f64 0.43))
      let inside = R.(us >= f64 0.07 && v <= squeeze)
      let outside = R.(k < i64 0 || (us < f64 0.013 && v > us))
      let exact =
        R.(log v + log inverse_alpha - log (a / (us * us) + b)
           <= k * log mean - mean - lgamma (k + i64 1))
      in (r, inside || (!outside && exact), k)
    let (r, _, k) =
      loop (r, accepted, _k) = try r while !accepted do try r
    in (r, R.to_i64 k)

  -- | A number with a Poisson distribution.
  def poisson (mean: R.t) (r: rng) : (rng, i64) =
    if R.(mean < i64 10) then few mean r else many_events mean r

  -- | `n` values that a function draws, each from a stream of its own.
  --
  -- **Work:** *O(n ✕ W(draw))*. **Span:** *O(S(draw))*.
  def many 'a (n: i64) (draw: rng -> (rng, a)) (r: rng) : (rng, [n]a) =
    (skip 1 r, map (\s -> (draw s).1) (split_rng n r))

  -- Two values for each block.
  local def pairs 'a
                  (n: i64)
                  (f: (u64, u64) -> (a, a))
                  (r: rng) : (rng, [n]a) =
    let s = stream r 0
    let row (i: i64) : [2]a =
      let (x, y) = f (E.block s.key s.stream (u64.i64 i))
      in [x, y]
    in ( skip 1 r
       , (flatten (map row (iota ((n + 1) / 2))))[:n]
       )

  -- | `n` times 64 random bits. In half the time of `many n bits`.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def bits_array (n: i64) (r: rng) : (rng, [n]u64) =
    pairs n (\(x, y) -> (x, y)) r

  -- | `n` numbers in [0, 1). In half the time of `many n uniform`.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def uniform_array (n: i64) (r: rng) : (rng, [n]R.t) =
    pairs n (\(x, y) -> (unit x, unit y)) r

  -- | `n` numbers with the standard normal distribution. In half the time of `many n normal`.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def normal_array (n: i64) (r: rng) : (rng, [n]R.t) = pairs n box_muller r

  -- | The numbers from 0 to `n - 1` in random order.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def permutation (n: i64) (r: rng) : (rng, [n]i64) =
    let (r, keys) = bits_array n r
    in (r, map (.1) (sort_by_key (\(key, _) -> key) (zip keys (iota n))))

  -- | The elements in random order, all orders with the same probability.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def shuffle [n] 't (xs: [n]t) (r: rng) : (rng, [n]t) =
    let (r, is) = permutation n r
    in (r, map (\i -> #[unsafe] xs[i]) is)

  -- | `k` different elements in random order. Fails if there are fewer.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def sample [n] 't (k: i64) (xs: [n]t) (r: rng) : (rng, [k]t) =
    let (r, is) = permutation n r
    in (r, map (\i -> #[unsafe] xs[i]) (take k is))

  -- | `k` indices, each drawn independently with a probability proportional to its weight. The weights
  -- must not be negative.
  --
  -- **Work:** *O(n + k ✕ log(n))*. **Span:** *O(log(n))*.
  def choice [n] (k: i64) (weights: [n]R.t) (r: rng) : (rng, [k]i64) =
    let sums = scan (R.+) (R.i64 0) weights
    let pick (r: rng) : (rng, i64) =
      let (r, u) = uniform r
      let x = u R.* sums[n - 1]
      let (first, _) =
        loop (low, high) = (0, n - 1) while low < high do
          let middle = (low + high) / 2
          in if x R.< sums[middle] then (low, middle) else (middle + 1, high)
      in (r, first)
    in many k pick r
}

-- | Random numbers of double precision.
module random = mk_random philox f64

-- | Random numbers of single precision.
module random_f32 = mk_random philox f32
