-- Prices of options by the formula of Black and Scholes. Arrays of tuples are several arrays; from these to the
-- prices there is one operator.
-- ==
-- input { [60f64, 100f64] [65f64, 95f64] [0.25f64, 1f64] }
-- output { [2.1333718619310353f64, 18.387071688762475f64] [5.846285626870127f64, 6.0831245954928725f64] }
-- structure nest { map 1 copy 0 fused 0 replicate 0 range 0 call 0 }
-- structure flat { grid 1 grid/map 1 }
type option = {price: f64, strike: f64, years: f64}

def horner (x: f64) : f64 =
  let (c1, c2, c3, c4, c5) =
    (0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
  in x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))))

def cnd (d: f64) : f64 =
  let k = 1 / (1 + 0.2316419 * f64.abs d)
  let p = horner k
  let rsqrt2pi = 0.39894228040143267793994605993438
  let c = rsqrt2pi * f64.exp (-0.5 * d * d) * p
  in if d > 0 then 1 - c else c

def price (rate: f64) (volatility: f64) (o: option) : (f64, f64) =
  let v = volatility * f64.sqrt o.years
  let d1 =
    (f64.log (o.price / o.strike)
     + (rate + 0.5 * volatility * volatility) * o.years)
    / v
  let d2 = d1 - v
  let discounted = o.strike * f64.exp (-rate * o.years)
  let call = o.price * cnd d1 - discounted * cnd d2
  let put = discounted * (1 - cnd d2) - o.price * (1 - cnd d1)
  in (call, put)

entry main [n]
           (prices: [n]f64)
           (strikes: [n]f64)
           (years: [n]f64) : ([n]f64, [n]f64) =
  let options =
    map3 (\price strike years -> {price, strike, years}) prices strikes years
  in unzip (map (price 0.08 0.3) options)
