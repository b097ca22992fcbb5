-- # Black-Scholes
--
-- What is the right worth to buy a share in the future at a price that is fixed today? Black and Scholes answered this
-- with a formula in 1973. Of the benchmarks in *Nested data-parallelism on the GPU* (Bergstrom and Reppy, ICFP 2012)
-- it is the one with the most arithmetic for each element.
--
-- In NESL every operation on numbers is an operation on whole vectors, and the paper combines about ten at a time.
-- In Norn the formula is a function on scalars, and the whole program is one `map`.

type option =
  { price: f32 -- of the share, today
  , strike: f32 -- for which it may be bought or sold
  , years: f32 -- until then
  }

-- What money earns without risk in a year, and how much the price of the share moves in a year.
def rate : f32 = 0.02

def volatility : f32 = 0.30

-- The probability that a normally distributed number is less than x. The polynomial is formula 26.2.17 of Abramowitz
-- and Stegun, whose error is less than 7.5e-8.

def normal (x: f32) : f32 =
  let k = 1 / (1 + 0.2316419 * f32.abs x)
  let coefficients =
    [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  let polynomial = foldr (\c sum -> k * (c + sum)) 0 coefficients
  let tail = polynomial * f32.exp (-0.5 * x * x) / f32.sqrt (2 * f32.pi)
  in if x < 0 then tail else 1 - tail

-- The worth of the right to buy (a *call*) and of the right to sell (a *put*).

def value (o: option) : (f32, f32) =
  let deviation = volatility * f32.sqrt o.years
  let drift = (rate + volatility ** 2 / 2) * o.years
  let d1 = (f32.log (o.price / o.strike) + drift) / deviation
  let d2 = d1 - deviation
  let discounted = o.strike * f32.exp (-rate * o.years)
  in ( o.price * normal d1 - discounted * normal d2
     , discounted * normal (-d2) - o.price * normal (-d1)
     )

-- ==
-- entry: values
-- nobench input { [42.0f32, 100.0f32, 5.0f32] [40.0f32, 95.0f32, 60.0f32] [0.5f32, 0.25f32, 10.0f32] }
-- output { [4.7764393f32, 8.9556685f32, 0.0359343f32] [2.3784327f32, 3.4818540f32, 44.1597794f32] }
-- nobench input { empty([0]f32) empty([0]f32) empty([0]f32) } output { empty([0]f32) empty([0]f32) }
-- "100000" notest script input { input 100000i64 }
-- "1000000" notest script input { input 1000000i64 }
-- "10000000" notest script input { input 10000000i64 }
entry values [n]
             (prices: [n]f32)
             (strikes: [n]f32)
             (years: [n]f32) : ([n]f32, [n]f32) =
  unzip (map3 (\price strike years -> value {price, strike, years})
              prices
              strikes
              years)

-- > values [42f32, 100f32] [40f32, 95f32] [0.5f32, 0.25f32]

-- ## A picture
--
-- An option that cannot be used yet is worth more than one that must be used now, because its owner gains from rising
-- prices and does not have to lose from falling ones. The strike price is 50 here, and the time a year.

entry curves (n: i64) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  let prices = tabulate n (\i -> 1 + 99 * f32.i64 i / f32.i64 n)
  let (calls, puts) = values prices (replicate n 50) (replicate n 1)
  in (prices, calls, puts, map (\price -> f32.max 0 (price - 50)) prices)

-- > :brief :plot2d let (prices, calls, puts, now) = curves 200i64 in {call=(prices, calls), put=(prices, puts), call_used_now=(prices, now)};
-- xlabel: price of the share
-- ylabel: value of the option
-- alt: The value of a call rises with the price, that of a put falls, and the call lies above what it is worth if used now

-- ## The contracts of the paper
--
-- There are 10,000,000, chosen at random. Here a random number is the hash of its index.

def random (seed: u32) (low: f32, high: f32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b9 + seed * 0x85ebca6b
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in low + (high - low) * f32.u32 ((x ^ (x >> 16)) >> 8) / 16777216

entry input (n: i64) : ([n]f32, [n]f32, [n]f32) =
  ( tabulate n (random 1 (5, 30))
  , tabulate n (random 2 (1, 100))
  , tabulate n (random 3 (0.25, 10))
  )

-- A call minus a put with the same strike price is the same as the share minus the discounted strike price, whatever
-- the volatility is. The greatest deviation from this *parity* among all contracts:

-- ==
-- entry: deviation_from_parity
-- nobench input { 1000i64 } output { 0.0f32 }
entry deviation_from_parity (n: i64) : f32 =
  let (prices, strikes, years) = input n
  let (calls, puts) = values prices strikes years
  let deviation price strike time call put =
    f32.abs (call - put - (price - strike * f32.exp (-rate * time)))
  in f32.maximum (map5 deviation prices strikes years calls puts)

-- > deviation_from_parity 10000000i64
