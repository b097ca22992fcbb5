-- The prices of European options by the formula of Black and Scholes.
-- ==
-- nobench input { [10.0f32] [10.0f32] [1.0f32] } output { [1.281f32] [1.083f32] }
-- nobench script input { input 4i64 }
-- output { [0.103904f32, 0.302979f32, 13.471632f32, 1.146148f32] [67.958961f32, 36.899872f32, 2.115670f32, 8.421637f32] }
-- nobench script input { input 1000i64 } auto output
-- structure run { launches 1 waits 1 }
-- "100000" notest script input { input 100000i64 } output @ data/blackscholes-100000.out
-- "1000000" notest script input { input 1000000i64 } output @ data/blackscholes-1000000.out
-- "10000000" notest script input { input 10000000i64 } output @ data/blackscholes-10000000.out

import "data"

def rate : f32 = 0.02

def volatility : f32 = 0.3

entry input (n: i64) : ([n]f32, [n]f32, [n]f32) =
  ( tabulate n (between 5 30 1)
  , tabulate n (between 1 100 2)
  , tabulate n (between 0.25 10 3)
  )

-- | The distribution function of the standard normal distribution, by a polynomial that is right to
-- seven digits (Abramowitz and Stegun, 26.2.17).
def normal (x: f32) : f32 =
  let k = 1 / (1 + 0.2316419 * f32.abs x)
  let polynomial =
    k
    * (0.31938153
       + k
         * (-0.356563782
            + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let tail = 0.39894228 * f32.exp (-0.5 * x * x) * polynomial
  in if x < 0 then tail else 1 - tail

-- | What the right to buy and the right to sell at the strike price are worth.
def option (price: f32) (strike: f32) (years: f32) : (f32, f32) =
  let deviation = volatility * f32.sqrt years
  let d1 =
    (f32.log (price / strike) + (rate + volatility * volatility / 2) * years)
    / deviation
  let d2 = d1 - deviation
  let discounted = strike * f32.exp (-rate * years)
  in ( price * normal d1 - discounted * normal d2
     , discounted * normal (-d2) - price * normal (-d1)
     )

entry main [n]
           (prices: [n]f32)
           (strikes: [n]f32)
           (years: [n]f32) : ([n]f32, [n]f32) =
  unzip (map3 option prices strikes years)
