-- # OptionPricing
--
-- What a contract is worth that depends on several shares at several dates: the average, over many
-- random courses of the market, of what it pays. The benchmark comes from FinPar, and is one of the
-- sixteen of *Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place Array
-- Updates* (2017), whose figure 10 is about its random numbers.
--
-- The courses come from Sobol's sequence, whose points fill space more evenly than random ones. There
-- are two formulas for it: one gives any point, and one, much cheaper, the next point. A stream has
-- both: each chunk of courses begins with the first and goes on with the second, and the compiler
-- chooses how many chunks the machine needs.

-- ## Sobol's sequence

-- | A polynomial over the field of two elements that cannot be factored, by its degree and its inner
-- coefficients as bits, and the first direction numbers, as many as the degree says. From the table of
-- Joe and Kuo (2008).
type polynomial = {degree: i64, inner: u32, first: [6]u32}

def polynomials : [14]polynomial =
  [ {degree = 1, inner = 0, first = [1, 0, 0, 0, 0, 0]}
  , {degree = 2, inner = 1, first = [1, 3, 0, 0, 0, 0]}
  , {degree = 3, inner = 1, first = [1, 3, 1, 0, 0, 0]}
  , {degree = 3, inner = 2, first = [1, 1, 1, 0, 0, 0]}
  , {degree = 4, inner = 1, first = [1, 1, 3, 3, 0, 0]}
  , {degree = 4, inner = 4, first = [1, 3, 5, 13, 0, 0]}
  , {degree = 5, inner = 2, first = [1, 1, 5, 5, 17, 0]}
  , {degree = 5, inner = 4, first = [1, 1, 5, 5, 5, 0]}
  , {degree = 5, inner = 7, first = [1, 1, 7, 11, 19, 0]}
  , {degree = 5, inner = 11, first = [1, 1, 5, 1, 1, 0]}
  , {degree = 5, inner = 13, first = [1, 1, 1, 3, 11, 0]}
  , {degree = 5, inner = 14, first = [1, 3, 5, 5, 31, 0]}
  , {degree = 6, inner = 1, first = [1, 3, 3, 9, 7, 49]}
  , {degree = 6, inner = 13, first = [1, 1, 1, 15, 21, 21]}
  ]

-- | For each bit of a number, what it contributes to a coordinate: 32 binary digits after the point.
type directions = [32]u32

-- | The directions of the first coordinate, which has no polynomial.
def first_directions : directions = tabulate 32 (\i -> 1 << (31 - u32.i64 i))

-- | A linear recurrence with the coefficients of the polynomial.
def directions (p: polynomial) : directions =
  let start: *directions =
    tabulate 32 (\i ->
      if i < p.degree then p.first[i] << (31 - u32.i64 i) else 0)
  let next (v: *directions) (i: i64) : *directions =
    let oldest = v[i - p.degree]
    let value =
      loop value = oldest ^ (oldest >> u32.i64 p.degree)
      for k < p.degree - 1 do
        let coefficient = (p.inner >> u32.i64 (p.degree - 2 - k)) & 1
        in value ^ (coefficient * v[i - 1 - k])
    in v with [i] = value
  in loop v = start for i in p.degree..<32 do next v i

-- | Those of so many coordinates, at most 15.
def all_directions (n: i64) : [n]directions =
  take n ([first_directions] ++ map directions polynomials)

-- | A coordinate of the n-th point: the bits of the Gray code of `n` choose directions.
def coordinate (n: u32) (v: directions) : u32 =
  let code = n ^ (n >> 1)
  in loop x = 0
     for k < 32 do
       x ^ (((code >> u32.i64 k) & 1) * v[k])

-- | The next point after the n-th: from one Gray code to the next, a single bit changes.
def next [d] (vs: [d]directions) (n: u32) (point: [d]u32) : [d]u32 =
  let bit = i64.i32 (u32.ctz (!n))
  in map2 (\v x -> x ^ v[bit]) vs point

-- | Between 0 and 1, and neither. Of 23 bits, so that the conversion is exact.
def to_unit (x: u32) : f32 = (f32.u32 (x >> 9) + 0.5) / 8388608

-- | So many points from a number on, by the first formula and by the second.
-- ==
-- entry: sobol
-- nobench input { 3i64 8i64 0u32 }
-- output { [[0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75], [0.375, 0.375, 0.625], [0.875, 0.875, 0.125], [0.625, 0.125, 0.875], [0.125, 0.625, 0.375]]
--          [[0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75], [0.375, 0.375, 0.625], [0.875, 0.875, 0.125], [0.625, 0.125, 0.875], [0.125, 0.625, 0.375]] }
-- nobench input { 15i64 2i64 1000u32 }
-- output { [[0.2197265625, 0.0966796875, 0.5185546875, 0.6767578125, 0.2802734375, 0.9072265625, 0.0458984375, 0.8994140625, 0.5009765625, 0.0693359375, 0.0849609375, 0.2548828125, 0.1611328125, 0.3837890625, 0.1435546875], [0.7197265625, 0.5966796875, 0.0185546875, 0.1767578125, 0.7802734375, 0.4072265625, 0.5458984375, 0.3994140625, 0.0009765625, 0.5693359375, 0.5849609375, 0.7548828125, 0.6611328125, 0.8837890625, 0.6435546875]]
--          [[0.2197265625, 0.0966796875, 0.5185546875, 0.6767578125, 0.2802734375, 0.9072265625, 0.0458984375, 0.8994140625, 0.5009765625, 0.0693359375, 0.0849609375, 0.2548828125, 0.1611328125, 0.3837890625, 0.1435546875], [0.7197265625, 0.5966796875, 0.0185546875, 0.1767578125, 0.7802734375, 0.4072265625, 0.5458984375, 0.3994140625, 0.0009765625, 0.5693359375, 0.5849609375, 0.7548828125, 0.6611328125, 0.8837890625, 0.6435546875]] }
-- nobench input { 2i64 0i64 5u32 } output { empty([0][2]f64) empty([0][2]f64) }
entry sobol (d: i64) (n: i64) (from: u32) : ([n][d]f64, [n][d]f64) =
  let vs = all_directions d
  let numbers = tabulate n (\i -> from + u32.i64 i)
  let start = (replicate n (replicate d 0), map (coordinate from) vs)
  let (points, _) =
    loop (points, point) = start
    for i < n do
      (points with [i] = point, next vs numbers[i] point)
  let fractions = map (map (\x -> f64.u32 x / 4294967296))
  in ( fractions (map (\i -> map (coordinate i) vs) numbers)
     , fractions points
     )

-- In two dimensions, if a square is divided into *k* times *k* squares, with *k* a power of two, each gets
-- one of the first *k*² points.

-- | How many of the first `n` points fall into each of `k` times `k` squares.
-- ==
-- entry: in_squares
-- nobench input { 4i64 16i64 } output { [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]] }
-- nobench input { 1i64 5i64 } output { [[5]] }
-- nobench input { 2i64 0i64 } output { [[0, 0], [0, 0]] }
entry in_squares (k: i64) (n: i64) : [k][k]i32 =
  let vs = all_directions 2
  let square v i = (i64.u32 (coordinate (u32.i64 i) v) * k) >> 32
  let squares = tabulate n (\i -> (square vs[0] i, square vs[1] i))
  in reduce_by_index_2d
       (replicate k (replicate k 0))
       (+)
       0
       squares
       (replicate n 1)

-- | The first points of the square, as a picture.
entry square (size: i64) (n: i64) : [size][size]bool =
  map (map (> 0)) (in_squares size n)

-- > :brief :img square 256i64 1024i64;
-- alt: Dots that cover a square evenly

-- ## Normal numbers

-- | The number below which a normally distributed one lies with probability `p`, to seven digits
-- (Wichura's algorithm AS 241).
def inverse_normal (p: f32) : f32 =
  let q = p - 0.5
  in if f32.abs q <= 0.425
     then let r = 0.180625 - q * q
          let above =
            ((59.109374720 * r + 159.29113202) * r + 50.434271938) * r
            + 3.3871327179
          let below =
            ((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1
          in q * above / below
     else let r = f32.sqrt (-f32.log (if q < 0 then p else 1 - p))
          let size =
            if r <= 5
            then let r = r - 1.6
                 let above =
                   ((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r
                   + 1.4234372777
                 let below = (0.12021132975 * r + 0.73700164250) * r + 1
                 in above / below
            else let r = r - 5
                 let above =
                   ((0.017337203997 * r + 0.42868294337) * r + 3.0812263860) * r
                   + 6.6579051150
                 let below = (0.012258202635 * r + 0.24197894225) * r + 1
                 in above / below
          in if q < 0 then -size else size

-- | The quantiles of the standard normal distribution.
-- ==
-- entry: quantiles
-- nobench input { [1e-12f32, 1e-6f32, 0.05f32, 0.3f32, 0.5f32, 0.7f32, 0.99f32] }
-- output { [-7.034484f32, -4.753424f32, -1.644854f32, -0.524401f32, 0.0f32, 0.524401f32, 2.326348f32] }
entry quantiles [n] (ps: [n]f32) : [n]f32 = map inverse_normal ps

-- ## Brownian bridge
--
-- A random walk can be made from normal numbers in any order of dates: the last first, then those in the
-- middle between two that are known. The first numbers decide the most in this way, and these are the
-- most evenly distributed ones. A step writes into the walk what it computes from it, in place.

-- | The date to fill in, and those left and right of it: -1 is the start of the walk.
type place = {at: i64, left: i64, right: i64}

-- | The order of dates, by always halving the oldest gap.
def order (dates: i64) : [dates]place =
  let whole = {left = -1i64, right = dates - 1}
  let (places, _, _) =
    loop (places, gaps, count) =
           ( replicate dates {at = dates - 1, left = -1, right = dates - 1}
           , replicate dates whole
           , 1
           )
    for i in 1..<dates do
      let gap = gaps[i - 1]
      let at = (gap.left + gap.right) / 2
      let (gaps, count) =
        if at - gap.left > 1
        then (gaps with [count] = {left = gap.left, right = at}, count + 1)
        else (gaps, count)
      let (gaps, count) =
        if gap.right - at > 1
        then (gaps with [count] = {left = at, right = gap.right}, count + 1)
        else (gaps, count)
      in ( places with [i] = {at, left = gap.left, right = gap.right}
         , gaps
         , count
         )
  in places

-- | A step of the bridge: how much of the neighbours goes into a value, and how far it varies.
type step = {place: place, from_left: f32, from_right: f32, deviation: f32}

def bridge [d] (times: [d]f32) : [d]step =
  let time i = if i < 0 then 0 else times[i]
  let step (p: place) : step =
    let (left, here, right) = (time p.left, time p.at, time p.right)
    let (before, after) = (here - left, right - here)
    in if p.at == p.right
       then { place = p
            , from_left = 1
            , from_right = 0
            , deviation = f32.sqrt before
            }
       else { place = p
            , from_left = after / (right - left)
            , from_right = before / (right - left)
            , deviation = f32.sqrt (before * after / (right - left))
            }
  in map step (order d)

-- | A walk of several coordinates, by normal numbers for each step of the bridge.
def walk [d] [u] (steps: [d]step) (normals: [d][u]f32) : [d][u]f32 =
  loop walk = replicate d (replicate u 0)
  for i < d do
    let s = steps[i]
    let p = s.place
    let value j =
      let left = if p.left < 0 then 0 else walk[p.left, j]
      let right = walk[p.right, j]
      in s.from_left * left
         + s.from_right * right
         + s.deviation * normals[i, j]
    in walk with [p.at] = tabulate u value

-- ## The market

type market [u] =
  { prices: [u]f32 -- today's
  , volatilities: [u]f32
  , dividends: [u]f32 -- what the shares pay in a year
  , rate: f32 -- what money pays in a year
  , mixing: [u][u]f32 -- how shares move together: the Cholesky factor of the correlations
  }

-- | What is fixed before the first course: dates, directions, steps.
type plan [d] [u] =
  { market: market [u]
  , times: [d]f32
  , steps: [d]step
  , directions: [d * u]directions
  }

def plan [d] [u] (market: market [u]) (times: [d]f32) : plan [d] [u] =
  {market, times, steps = bridge times, directions = all_directions (d * u)}

-- | The course of the market that belongs to a point: the prices of all shares at all dates, in the
-- model of Black and Scholes.
def course [d] [u] (p: plan [d] [u]) (point: [d * u]u32) : [d][u]f32 =
  let m = p.market
  let normals = map (to_unit >-> inverse_normal) point
  let walks = walk p.steps (unflatten normals)
  let price i j =
    let moved = f32.sum (map2 (*) m.mixing[j] walks[i])
    let volatility = m.volatilities[j]
    let drift = m.rate - m.dividends[j] - volatility * volatility / 2
    in m.prices[j] * f32.exp (drift * p.times[i] + volatility * moved)
  in tabulate_2d d u price

-- | A contract says what it pays, discounted to today.
type^ contract [d] [u] = plan [d] [u] -> [d][u]f32 -> f32

-- | The average over the points from 1 to `n`, each computed by the first formula.
def price_directly [d] [u]
                   (n: i64)
                   (c: contract [d] [u])
                   (p: plan [d] [u])
    : f64 =
  let paid i =
    f64.f32 (c p (course p (map (coordinate (u32.i64 i)) p.directions)))
  in f64.sum (map paid (1...n)) / f64.i64 n

-- | The same by a stream.
def price [d] [u] (n: i64) (c: contract [d] [u]) (p: plan [d] [u]) : f64 =
  let chunk (k: i64) (numbers: [k]i64) : f64 =
    if k == 0
    then 0
    else let number i = u32.i64 numbers[i]
         let first = map (coordinate (number 0)) p.directions
         let (sum, _) =
           loop (sum, point) = (0, first)
           for i < k do
             ( sum + f64.f32 (c p (course p point))
             , next p.directions (number i) point
             )
         in sum
  in reduce_stream (+) chunk (1...n) / f64.i64 n

-- ## Contracts

def discount [d] [u] (p: plan [d] [u]) (i: i64) : f32 =
  f32.exp (-p.market.rate * p.times[i])

-- | The right to buy the first share at the last date.
def european_call [d] [u] (strike: f32) : contract [d] [u] =
  \p prices -> discount p (d - 1) * f32.max 0 (prices[d - 1, 0] - strike)

-- | Ends at the first date at which no share is below today's price, and pays 1000 and 150 for each date
-- until then. If that never happens, it pays 1000 at the end, unless a share has lost more than a
-- quarter: then it pays as much less as the worst share is worth less.
def autocall [d] [u] : contract [d] [u] =
  \p prices ->
    let worst i = f32.minimum (map2 (/) prices[i] p.market.prices)
    let (_, paid) =
      loop (i, paid) = (0, 0)
      while i < d && paid == 0 do
        let level = worst i
        let amount =
          if level >= 1
          then 1000 + 150 * f32.i64 (i + 1)
          else if i < d - 1
          then 0
          else if level >= 0.75
          then 1000
          else 1000 * level
        in (i + 1, discount p i * amount)
    in paid

-- ## Prices

def one_share : market [1] =
  { prices = [100]
  , volatilities = [0.2]
  , dividends = [0]
  , rate = 0.05
  , mixing = [[1]]
  }

-- | A call on one share that follows its price at five dates, by so many courses. The formula of Black
-- and Scholes says 10.450584.
-- ==
-- entry: call
-- nobench input { 255i64 } output { 10.311582 }
-- nobench input { 4095i64 } output { 10.450584 }
entry call (n: i64) : f64 =
  price n (european_call 100) (plan one_share [0.2, 0.4, 0.6, 0.8, 1])

-- > call 1048575i64

def three_shares : market [3] =
  { prices = [3758.05, 11840, 1200]
  , volatilities = [0.19, 0.19, 0.15]
  , dividends = [0.02, 0.01, 0.015]
  , rate = 0.03
  , mixing = [[1, 0, 0], [0.6, 0.8, 0], [0.5, 0.25, 0.8291562]]
  }

-- | The contract on three shares at five dates, with a stream.
-- ==
-- entry: main
-- nobench input { 1i64 } output { 860.707976 }
-- nobench input { 64i64 } output { 931.891981 }
-- "10000" notest input { 10000i64 }
-- "100000" notest input { 100000i64 }
-- "1048576" notest input { 1048576i64 }
entry main (n: i64) : f64 =
  price n autocall (plan three_shares [1, 2, 3, 4, 5])

-- | The same without a stream.
-- ==
-- entry: directly
-- nobench input { 1i64 } output { 860.707976 }
-- nobench input { 64i64 } output { 931.891981 }
-- "1048576" notest input { 1048576i64 }
entry directly (n: i64) : f64 =
  price_directly n autocall (plan three_shares [1, 2, 3, 4, 5])

-- > main 1048576i64
