-- # LocVolCalib
--
-- Banks find the parameters of a model of the market by pricing options that are traded, at many
-- strikes, and comparing. This is the inner part of such a calibration: the prices of European calls
-- when the volatility depends on the price and is itself random. Each comes from a differential
-- equation in two dimensions that is solved backwards in time. The benchmark comes from FinPar, and is
-- one of the sixteen of *Futhark: Purely Functional GPU-Programming with Nested Parallelism and
-- In-Place Array Updates* (2017).
--
-- It is hard to make fast. Strikes are independent, but for each there is a sequential loop over time;
-- inside, all lines of a grid are independent, but along each runs a recurrence. The program has the
-- same structure: loops in maps in a loop in a map. A GPU needs more parallelism than there are
-- strikes, and the compiler finds it by interchanging the outer map with the loop.

-- ## Tridiagonal systems

-- | One equation of a system: `lower * x[i - 1] + diagonal * x[i] + upper * x[i + 1]` is the right side.
type row = {lower: f32, diagonal: f32, upper: f32}

-- | Solves by elimination from top to bottom and substitution back up. The rows are a function, since
-- most of them are cheaper to compute than to store.
def solve [n] (row: i64 -> row) (right: [n]f32) : *[n]f32 =
  let start = {upper = 0, right = 0}
  let (uppers, rights, _) =
    loop (uppers, rights, above) = (replicate n 0, replicate n 0, start)
    for i < n do
      let r = row i
      let pivot = r.diagonal - r.lower * above.upper
      let here =
        { upper = r.upper / pivot
        , right = (right[i] - r.lower * above.right) / pivot
        }
      in ( uppers with [i] = here.upper
         , rights with [i] = here.right
         , here
         )
  let (solution, _) =
    loop (xs, below) = (rights, 0)
    for k < n do
      let i = n - 1 - k
      let x = xs[i] - uppers[i] * below
      in (xs with [i] = x, x)
  in solution

-- The same by scans, for machines that have more processors than there are systems. What the
-- elimination does to `upper` is a fraction of linear functions, and these are composed like matrices
-- of two rows; `right` and the substitution are composed of linear functions.

def compose_fractions (m: (f32, f32, f32, f32)) (k: (f32, f32, f32, f32)) =
  let (a, b, c, d) = m
  let (e, f, g, h) = k
  let (p, q, r, s) =
    (e * a + f * c, e * b + f * d, g * a + h * c, g * b + h * d)
  -- A fraction does not change when both sides are divided, and the numbers must not grow.
  let size =
    f32.max (f32.max (f32.abs p) (f32.abs q)) (f32.max (f32.abs r) (f32.abs s))
  in (p / size, q / size, r / size, s / size)

def compose_lines (a: f32, b: f32) (c: f32, d: f32) : (f32, f32) =
  (c * a, c * b + d)

def solve_by_scans [n] (row: i64 -> row) (right: [n]f32) : *[n]f32 =
  let rows = tabulate n row
  let fractions =
    scan compose_fractions
         (1, 0, 0, 1)
         (map (\r -> (0, r.upper, -r.lower, r.diagonal)) rows)
  let uppers = map (\(_, b, _, d) -> b / d) fractions
  let above i = if i == 0 then 0 else uppers[i - 1]
  let elimination i =
    let r = rows[i]
    let pivot = r.diagonal - r.lower * above i
    in (-r.lower / pivot, right[i] / pivot)
  let rights =
    map (.1) (scan compose_lines (1, 0) (tabulate n elimination))
  let substitution k =
    let i = n - 1 - k
    in (-uppers[i], rights[i])
  in reverse (map (.1) (scan compose_lines (1, 0) (tabulate n substitution)))

-- | A system with some right side, solved in both ways.
-- ==
-- entry: solve_both
-- nobench input { [1.0f32, 2.0f32, 3.0f32, 4.0f32] }
-- output { [0.834340f32, 1.447799f32, 1.881216f32, 1.788122f32] [0.834340f32, 1.447799f32, 1.881216f32, 1.788122f32] }
-- nobench input { [7.0f32] } output { [2.8f32] [2.8f32] }
-- nobench input { empty([0]f32) } output { empty([0]f32) empty([0]f32) }
entry solve_both [n] (right: [n]f32) : ([n]f32, [n]f32) =
  let row i : row =
    { lower = if i == 0 then 0 else -0.25
    , diagonal = 2.5
    , upper = if i == n - 1 then 0 else -0.75
    }
  in (solve row right, solve_by_scans row right)

-- ## The model
--
-- The price *x* of what is traded and the logarithm *y* of its volatility are random walks. In a short
-- time *dt* the variance of *x* grows by *x*^2β e^(2*y* - ν²*t*) *dt*, and that of *y* by ν² *dt*.

type model =
  { price: f32 -- today's
  , volatility: f32 -- today's, called α
  , elasticity: f32 -- how volatility goes with the price, called β
  , agitation: f32 -- the volatility of the volatility, called ν
  , years: f32 -- until the options expire
  }

-- | Numbers of prices, of volatilities, and of points in time.
type resolution = {x: i64, y: i64, t: i64}

-- | Places at equal distances, of which one, at `centre`, is the present state.
type axis [n] = {places: [n]f32, gap: f32, centre: i64}

def axis (n: i64) (width: f32) (centre: f32 -> i64) (here: f32) : axis [n] =
  let gap = width / f32.i64 n
  let c = centre gap
  in {places = tabulate n (\i -> here + f32.i64 (i - c) * gap), gap, centre = c}

-- | Prices from zero to some twenty standard deviations.
def prices (n: i64) (m: model) : axis [n] =
  axis n
       (20 * m.volatility * m.price * f32.sqrt m.years)
       (\gap -> i64.min (n - 1) (i64.f32 (m.price / gap)))
       m.price

-- | Logarithms of volatilities, five standard deviations to both sides.
def volatilities (n: i64) (m: model) : axis [n] =
  axis n
       (10 * m.agitation * f32.sqrt m.years)
       (\_ -> n / 2)
       (f32.log m.volatility)

-- ## A step back in time
--
-- The scheme is that of Douglas: half of the spreading along *x* is computed from the later values, and
-- half is implied by the earlier ones that are sought; then the same along *y*. At the edges of the
-- grid the values are taken to be linear.

-- | Whether there is a place on both sides.
def inner (n: i64) (i: i64) : bool = 0 < i && i < n - 1

-- | How far the middle of three values, which are at `i`, lies below the line through the others, twice.
def curvature (n: i64) (i: i64) (f: i64 -> f32) : f32 =
  if inner n i then f (i - 1) - 2 * f i + f (i + 1) else 0

-- | The row of the system for values that become these by spreading with some weight.
def spreading (n: i64) (weight: f32) (i: i64) : row =
  let w = if inner n i then weight else 0
  in {lower = -w, diagonal = 1 + 2 * w, upper = -w}

-- | The values at an earlier time. `by_price` is what the variance of a price has to do with the price.
def step [nx] [ny]
         (m: model)
         (xs: axis [nx])
         (ys: axis [ny])
         (by_price: [nx]f32)
         (t: f32)
         (dt: f32)
         (later: [ny][nx]f32) : [ny][nx]f32 =
  let weight_y = dt / 4 * m.agitation ** 2 / ys.gap ** 2
  let spread_y i j = weight_y * curvature ny i (\k -> later[k, j])
  let along_x i : [nx]f32 =
    let variance = f32.exp (2 * ys.places[i] - m.agitation ** 2 * t)
    let weight j = dt / 4 * variance * by_price[j] / xs.gap ** 2
    let right =
      tabulate nx (\j ->
        later[i, j]
        + weight j * curvature nx j (\k -> later[i, k])
        + 2 * spread_y i j)
    in solve (\j -> spreading nx (weight j) j) right
  let half = tabulate ny along_x
  let along_y j : [ny]f32 =
    solve (spreading ny weight_y)
          (tabulate ny (\i -> half[i, j] - spread_y i j))
  in transpose (tabulate nx along_y)

-- | Today's prices of the right to buy at each of the strikes.
def calls_at [n] (r: resolution) (m: model) (strikes: [n]f32) : [n]f32 =
  let xs = prices r.x m
  let ys = volatilities r.y m
  let by_price = map (\x -> f32.max 0 x ** (2 * m.elasticity)) xs.places
  let steps = r.t - 1
  let dt = m.years / f32.i64 steps
  let call strike =
    let payoff = map (\x -> f32.max 0 (x - strike)) xs.places
    let today =
      loop later = replicate r.y payoff
      for k < steps do
        step m xs ys by_price (dt * f32.i64 (steps - 1 - k)) dt later
    in today[ys.centre, xs.centre]
  in map call strikes

-- ## Prices

def market : model =
  { price = 0.03
  , volatility = 0.2
  , elasticity = 0.5
  , agitation = 0.6
  , years = 5
  }

-- | The prices of calls at strikes in steps of 0.001.
-- ==
-- entry: calls
-- nobench input { 0i64 8i64 6i64 3i64 } output { empty([0]f32) }
-- "16, 32x256x256" notest input { 16i64 32i64 256i64 256i64 }
-- "128, 256x32x64" notest input { 128i64 256i64 32i64 64i64 }
-- "256, 256x256x64" notest input { 256i64 256i64 256i64 64i64 }
entry calls (n: i64) (x: i64) (y: i64) (t: i64) : [n]f32 =
  calls_at {x, y, t} market (tabulate n (\i -> 0.001 * f32.i64 i))

-- | The prices of calls at any strikes, in hundredths of a percent.
-- ==
-- entry: basis_points
-- nobench input { 32i64 8i64 8i64 [0.0f32, 0.01f32, 0.02f32, 0.03f32, 0.04f32, 0.05f32] }
-- output { [300.0f32, 236.0872f32, 207.8426f32, 185.4882f32, 161.4930f32, 142.9713f32] }
-- nobench input { 1i64 1i64 2i64 [0.01f32] } output { [200.0f32] }
entry basis_points [n] (x: i64) (y: i64) (t: i64) (strikes: [n]f32) : [n]f32 =
  map (* 10000) (calls_at {x, y, t} market strikes)

-- | Strikes and prices of calls, for a plot.
entry price_curve (n: i64) : ([n]f32, [n]f32) =
  (tabulate n (\i -> 0.001 * f32.i64 i), calls n 128 32 32)

-- > :brief :plot2d price_curve 61i64;
-- xlabel: strike
-- ylabel: price of the call
-- alt: The price of a call falls as its strike rises

-- ## A check
--
-- Where the volatility is proportional to the price, and does not change, the formula of Black and
-- Scholes has the answer.

def normal (x: f32) : f32 = f32.erfc (-x / f32.sqrt 2) / 2

def black_scholes (m: model) (strike: f32) : f32 =
  let deviation = m.volatility * f32.sqrt m.years
  let d = f32.log (m.price / strike) / deviation + deviation / 2
  in m.price * normal d - strike * normal (d - deviation)

-- | Prices of calls by the grid and by the formula.
-- ==
-- entry: both_ways
-- nobench input { 256i64 3i64 16i64 [80.0f32, 100.0f32, 130.0f32] }
-- output { [21.1859f32, 7.9656f32, 1.0089f32] [21.1859f32, 7.9656f32, 1.0089f32] }
entry both_ways [n]
                (x: i64)
                (y: i64)
                (t: i64)
                (strikes: [n]f32)
    : ([n]f32, [n]f32) =
  let m: model =
    { price = 100
    , volatility = 0.2
    , elasticity = 1
    , agitation = 1e-3
    , years = 1
    }
  in (calls_at {x, y, t} m strikes, map (black_scholes m) strikes)

-- > both_ways 256i64 8i64 64i64 [70f32, 80f32, 90f32, 100f32, 110f32, 120f32, 130f32]
