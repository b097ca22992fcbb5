-- | Statistics: what describes samples, and the distributions that they may come from.
--
-- Means, variances and higher moments are found in one pass over the data and without cancellation, by
-- combining the moments of parts (Pébay, Formulas for robust, one-pass parallel computation of
-- covariances and arbitrary-order statistical moments, 2008). `statistics`@module works on numbers of
-- type `f64`, `statistics_f32`@module on numbers of type `f32`.
--
-- What is undefined, such as the mean of an empty sample, is NaN. If no cost is stated, it is **Work:**
-- *O(n)*, **Span:** *O(log(n))* for functions of samples, and constant for those of numbers.

-- | Statistics with numbers of type `R.t`.
module mk_statistics (R: real) = {
  type t = R.t

  local def two : t = R.i64 2
  local def one : t = R.i64 1
  local def zero : t = R.i64 0
  local def half : t = R.from_fraction 1 2

  -- | A sample in five numbers: how many elements there are, their mean, and the sums of the second,
  -- third and fourth powers of their distances from it.
  type moments = {count: t, mean: t, m2: t, m3: t, m4: t}

  -- | The moments of two samples together.
  def combine (a: moments) (b: moments) : moments =
    let n = a.count R.+ b.count
    in if n R.== zero
       then a
       else let d = b.mean R.- a.mean
            let p = a.count R./ n
            let q = b.count R./ n
            let s = R.(d * d * a.count * q)
            in { count = n
               , mean = R.(a.mean + d * q)
               , m2 = R.(a.m2 + b.m2 + s)
               , m3 =
                   R.(a.m3
                      + b.m3
                      + s * d * (p - q)
                      + i64 3 * d * (p * b.m2 - q * a.m2))
               , m4 =
                   R.(a.m4
                      + b.m4
                      + s * d * d * (p * p - p * q + q * q)
                      + i64 6 * d * d * (p * p * b.m2 + q * q * a.m2)
                      + i64 4 * d * (p * b.m3 - q * a.m3))
               }

  -- | The moments of a sample, in one pass.
  def moments [n] (xs: [n]t) : moments =
    reduce_comm combine
                {count = zero, mean = zero, m2 = zero, m3 = zero, m4 = zero}
                (map (\x ->
                        { count = one
                        , mean = x
                        , m2 = zero
                        , m3 = zero
                        , m4 = zero
                        })
                     xs)

  -- Mean and sum of squares only.
  local def spread_of [n] (xs: [n]t) : (t, t) =
    let both (n: t, a: t, s: t) (m: t, b: t, r: t) : (t, t, t) =
      let all = n R.+ m
      in if all R.== zero
         then (n, a, s)
         else let d = b R.- a
              let q = m R./ all
              in (all, R.(a + d * q), R.(s + r + d * d * n * q))
    let (_, mean, squares) =
      reduce_comm both (zero, zero, zero) (map (\x -> (one, x, zero)) xs)
    in (mean, squares)

  -- | The arithmetic mean.
  def mean [n] (xs: [n]t) : t = R.sum xs R./ R.i64 n

  -- | The geometric mean of positive numbers.
  def gmean [n] (xs: [n]t) : t = R.exp (mean (map R.log xs))

  -- | The harmonic mean of positive numbers.
  def hmean [n] (xs: [n]t) : t = one R./ mean (map R.recip xs)

  -- | The quadratic mean: the root of the mean of the squares.
  def qmean [n] (xs: [n]t) : t = R.sqrt (mean (map (\x -> x R.* x) xs))

  -- | The mean with weights.
  def weighted_mean [n] (weights: [n]t) (xs: [n]t) : t =
    R.sum (map2 (R.*) weights xs) R./ R.sum weights

  -- | The variance that a sample lets expect of what it was taken from: the sum of squares is divided
  -- by *n - 1*.
  def variance [n] (xs: [n]t) : t =
    if n < 2 then R.nan else (spread_of xs).1 R./ R.i64 (n - 1)

  -- | The variance of exactly these numbers: the sum of squares is divided by *n*.
  def variance_pop [n] (xs: [n]t) : t = (spread_of xs).1 R./ R.i64 n

  -- | The root of `variance`.
  def stddev [n] (xs: [n]t) : t = R.sqrt (variance xs)

  -- | The root of `variance_pop`.
  def stddev_pop [n] (xs: [n]t) : t = R.sqrt (variance_pop xs)

  -- | How far the distribution leans to one side: the third standardised moment.
  def skewness [n] (xs: [n]t) : t =
    let m = moments xs
    in R.(sqrt m.count * m.m3 / (m.m2 * sqrt m.m2))

  -- | How heavy the tails are, compared with a normal distribution: the fourth standardised moment
  -- minus 3.
  def kurtosis [n] (xs: [n]t) : t =
    let m = moments xs
    in R.(m.count * m.m4 / (m.m2 * m.m2) - i64 3)

  -- | The distances from the mean, divided by `stddev_pop`.
  def zscores [n] (xs: [n]t) : [n]t =
    let (m, squares) = spread_of xs
    let s = R.(sqrt (squares / i64 n))
    in map (\x -> R.((x - m) / s)) xs

  -- The means of two samples, their sums of squares and of products, in one pass.
  local def joint [n] (xs: [n]t) (ys: [n]t) : (t, t, t, t, t) =
    let both (n: t, a: t, b: t, xx: t, yy: t, xy: t)
             (m: t, c: t, d: t, uu: t, vv: t, uv: t)
        : (t, t, t, t, t, t) =
      let all = n R.+ m
      in if all R.== zero
         then (n, a, b, xx, yy, xy)
         else let dx = c R.- a
              let dy = d R.- b
              let q = m R./ all
              in ( all
                 , R.(a + dx * q)
                 , R.(b + dy * q)
                 , R.(xx + uu + dx * dx * n * q)
                 , R.(yy + vv + dy * dy * n * q)
                 , R.(xy + uv + dx * dy * n * q)
                 )
    let (_, a, b, xx, yy, xy) =
      reduce_comm both
                  (zero, zero, zero, zero, zero, zero)
                  (map2 (\x y -> (one, x, y, zero, zero, zero)) xs ys)
    in (a, b, xx, yy, xy)

  -- | How much two samples vary together; divided by *n - 1* as `variance`.
  def covariance [n] (xs: [n]t) (ys: [n]t) : t =
    let (_, _, _, _, xy) = joint xs ys
    in if n < 2 then R.nan else xy R./ R.i64 (n - 1)

  -- | Pearson's correlation coefficient, from -1 to 1.
  def correlation [n] (xs: [n]t) (ys: [n]t) : t =
    let (_, _, xx, yy, xy) = joint xs ys
    in R.(xy / (sqrt xx * sqrt yy))

  -- | The covariances of all pairs of columns, of which each is a variable and each row an observation.
  --
  -- **Work:** *O(n ✕ m²)*. **Span:** *O(log(n))*.
  def covariance_matrix [n] [m] (xss: [n][m]t) : [m][m]t =
    let columns = transpose xss
    let means = map mean columns
    let centred = map2 (\c a -> map (\x -> x R.- a) c) columns means
    let scale = one R./ R.i64 (n - 1)
    in map (\a -> map (\b -> scale R.* R.sum (map2 (R.*) a b)) centred) centred

  -- | The straight line that is nearest to points by the squares of vertical distances: `y` is about
  -- `intercept + slope * x`. `r2` is the part of the variance that the line explains.
  def regression [n] (xs: [n]t) (ys: [n]t) : {intercept: t, slope: t, r2: t} =
    let (a, b, xx, yy, xy) = joint xs ys
    let slope = xy R./ xx
    in { intercept = R.(b - slope * a)
       , slope
       , r2 = R.(xy * xy / (xx * yy))
       }

  -- Numbers whose order is that of the bits.
  local def to_key (x: t) : u64 =
    let bits = f64.to_bits (R.to_f64 x)
    in if u64.get_bit 63 bits == 1 then !bits else bits | 0x8000000000000000
  local def from_key (key: u64) : t =
    R.f64 (f64.from_bits (if u64.get_bit 63 key == 1
                          then key ^ 0x8000000000000000
                          else !key))

  -- Elements `k` and `k + 1` of the sorted keys, without sorting them: eleven bits are found at a time,
  -- by counting how many keys have which of those whose bits before are known.
  local def select [n] (k: i64) (keys: [n]u64) : (u64, u64) =
    let (key, left, equal) =
      loop (key, left, _equal) = (0u64, k, n) for round < 6i64 do
        let low = i64.max 0 (53 - 11 * round)
        let bits = if round == 5 then 9 else 11i64
        let bin (x: u64) : i64 =
          if round == 0 || (x u64.>>> u64.i64 (low + bits)) == key
          then i64.u64 (x u64.>>> u64.i64 low) & ((1 << bits) - 1)
          else -1
        let counts = hist (+) 0 2048 (map bin keys) (replicate n 1i64)
        let sums = scan (+) 0 counts
        let found =
          reduce_comm i64.min
                      2047
                      (map2 (\i s -> if s > left then i else 2047)
                            (iota 2048)
                            sums)
        in ( (key u64.<< u64.i64 bits) | u64.i64 found
           , left - (sums[found] - counts[found])
           , counts[found]
           )
    let above =
      reduce_comm u64.min
                  u64.highest
                  (map (\x -> if x > key then x else u64.highest) keys)
    in (key, if left + 1 < equal || above == u64.highest then key else above)

  -- Where a quantile is among sorted numbers: at or behind which element, and how far from it to the
  -- next.
  local def place (n: i64) (p: t) : (i64, t) =
    let at = p R.* R.i64 (n - 1)
    let low = i64.max 0 (i64.min (n - 1) (R.to_i64 (R.floor at)))
    in (low, R.(at - i64 low))

  local def between (low: t) (high: t) (part: t) : t =
    if R.(low == high) then low else R.(low + part * (high - low))

  -- | The number below which the fraction `p` of the sample is, interpolated between neighbours as
  -- NumPy does by default.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def quantile [n] (p: t) (xs: [n]t) : t =
    if n == 0
    then R.nan
    else let (k, part) = place n p
         let (low, high) = select k (map to_key xs)
         in between (from_key low) (from_key high) part

  -- | Several quantiles at once. For more than four of them the sample is sorted.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(log(n))*.
  def quantiles [n] [m] (ps: [m]t) (xs: [n]t) : [m]t =
    if m <= 4 || n == 0
    then map (\p -> quantile p xs) ps
    else let sorted = sort (map R.to_f64 xs)
         let one (p: t) : t =
           let (k, part) = place n p
           let next = i64.min (n - 1) (k + 1)
           in between (R.f64 sorted[k]) (R.f64 sorted[next]) part
         in map one ps

  -- | The number in the middle, or the mean of the two in the middle.
  def median [n] (xs: [n]t) : t = quantile half xs

  -- | The place of each element in the order from 1 on; those that are equal share the mean of their
  -- places.
  def ranks [n] (xs: [n]t) : [n]t =
    let (keys, is) =
      unzip (sort_by_key (\(x, _) -> R.to_f64 x) (zip xs (iota n)))
    let new (i: i64) : bool = i == 0 || keys[i] R.!= keys[i - 1]
    let first =
      scan i64.max 0 (map (\i -> if new i then i else 0) (iota n))
    let last =
      reverse (scan i64.min
                    (n - 1)
                    (map (\i -> if i == n - 1 || new (i + 1) then i else n - 1)
                         (reverse (iota n))))
    let shared = map2 (\a b -> half R.* R.i64 (a + b) R.+ one) first last
    in spread n zero is shared

  -- | Spearman's rank correlation coefficient.
  def spearman [n] (xs: [n]t) (ys: [n]t) : t = correlation (ranks xs) (ranks ys)

  -- | How many elements there are in each of `k` parts, of equal width, of the range from `low` to
  -- `high`, which belongs to the last part. Elements outside are not counted.
  --
  -- **Work:** *O(n + k)*. **Span:** *O(log(n))*.
  def histogram [n] (k: i64) (low: t) (high: t) (xs: [n]t) : [k]i64 =
    let scale = R.(i64 k / (high - low))
    let bin (x: t) : i64 =
      if R.(x >= low && x <= high)
      then i64.min (k - 1) (R.to_i64 R.((x - low) * scale))
      else -1
    in hist (+) 0 k (map bin xs) (replicate n 1)

  -- | The density of the normal distribution.
  def normal_pdf (mean: t) (sd: t) (x: t) : t =
    let z = R.((x - mean) / sd)
    in R.(exp (neg (half * z * z)) / (sd * sqrt (two * pi)))

  -- | The probability that a normal variable is not above `x`.
  def normal_cdf (mean: t) (sd: t) (x: t) : t =
    R.(half * erfc ((mean - x) / (sd * sqrt two)))

  -- A polynomial, from the highest coefficient on.
  local def polynomial [n] (coefficients: [n]f64) (x: t) : t =
    loop total = zero for c in coefficients do R.(total * x + f64 c)

  -- The quantile of the standard normal distribution (Wichura, The percentage points of the normal
  -- distribution, 1988).
  local def standard_quantile (p: t) : t =
    let q = R.(p - half)
    in if R.(abs q <= f64 0.425)
       then let r = R.(f64 0.180625 - q * q)
            in R.(q
                  * polynomial [2509.0809287301226727, 33430.575583588128105,
                                67265.770927008700853, 45921.953931549871457,
                                13731.693765509461125, 1971.5909503065514427,
                                133.14166789178437745, 3.387132872796366608]
                               r
                  / polynomial [5226.495278852545925, 28729.085735721942674,
                                39307.89580009271061, 21213.794301586595867,
                                5394.1960214247511077, 687.1870074920579083,
                                42.313330701600911252, 1]
                               r)
       else let tail = if R.(q < i64 0) then p else R.(i64 1 - p)
            let r = R.(sqrt (neg (log tail)))
            let x =
              if R.(r <= i64 5)
              then let r = R.(r - f64 1.6)
                   in R.(polynomial [7.7454501427834140764e-4,
                                     0.0227238449892691845833,
                                     0.24178072517745061177,
                                     1.27045825245236838258,
                                     3.64784832476320460504,
                                     5.7694972214606914055,
                                     4.6303378461565452959,
                                     1.42343711074968357734]
                                    r
                         / polynomial [1.05075007164441684324e-9,
                                       5.475938084995344946e-4,
                                       0.0151986665636164571966,
                                       0.14810397642748007459,
                                       0.68976733498510000455,
                                       1.6763848301838038494,
                                       2.05319162663775882187, 1]
                                      r)
              else let r = R.(r - i64 5)
                   in R.(polynomial [2.01033439929228813265e-7,
                                     2.71155556874348757815e-5,
                                     0.0012426609473880784386,
                                     0.026532189526576123093,
                                     0.29656057182850489123,
                                     1.7848265399172913358,
                                     5.4637849111641143699,
                                     6.6579046435011037772]
                                    r
                         / polynomial [2.04426310338993978564e-15,
                                       1.4215117583164458887e-7,
                                       1.8463183175100546818e-5,
                                       7.868691311456132591e-4,
                                       0.0148753612908506148525,
                                       0.13692988092273580531,
                                       0.59983220655588793769, 1]
                                      r)
            in if R.(q < i64 0) then R.neg x else x

  -- | The number that a normal variable is below with probability `p`.
  def normal_quantile (mean: t) (sd: t) (p: t) : t =
    if R.(p <= i64 0 || p >= i64 1)
    then if R.(p == i64 0)
         then R.neg R.inf
         else if R.(p == i64 1)
         then R.inf
         else R.nan
    else R.(mean + sd * standard_quantile p)

  -- | The density of the exponential distribution with this rate.
  def exponential_pdf (rate: t) (x: t) : t =
    if R.(x < i64 0) then zero else R.(rate * exp (neg (rate * x)))

  -- | The probability that an exponential variable is not above `x`.
  def exponential_cdf (rate: t) (x: t) : t =
    if R.(x < i64 0) then zero else R.(i64 1 - exp (neg (rate * x)))

  -- | The number that an exponential variable is below with probability `p`.
  def exponential_quantile (rate: t) (p: t) : t =
    R.(neg (log1p (neg p)) / rate)

  -- After so many steps a continued fraction ends in any case.
  local def limit : i64 = 500

  -- | The regularised lower incomplete gamma function: the part of `gamma a` that comes from arguments
  -- below `x`. By a series where `x` is small, and otherwise by a continued fraction (Lentz 1976), in a
  -- number of steps that grows with the root of `a`.
  def gamma_p (a: t) (x: t) : t =
    let front = R.(exp (a * log x - x - lgamma a))
    in if R.(x <= i64 0)
       then zero
       else if R.(x < a + i64 1)
       then let (total, _, _) =
              loop (total, term, n) = R.((i64 1 / a, i64 1 / a, a))
              while R.(abs term > abs total * f64 1e-17) do
                let n = R.(n + i64 1)
                let term = R.(term * x / n)
                in (R.(total + term), term, n)
            in R.(total * front)
       else let b = R.(x + i64 1 - a)
            let d = R.(i64 1 / b)
            let (h, _, _, _, _, _) =
              loop (h, b, c, d, delta, i) =
                     (d, b, R.recip (R.f64 1e-30), d, two, 1)
              while i <= limit && R.(abs (delta - i64 1) > f64 1e-16) do
                let an = R.(neg (i64 i * (i64 i - a)))
                let b = R.(b + i64 2)
                let d = R.(i64 1 / (an * d + b))
                let c = R.(b + an / c)
                let delta = R.(c * d)
                in (R.(h * delta), b, c, d, delta, i + 1)
            in R.(i64 1 - front * h)

  -- | The regularised incomplete beta function, by a continued fraction (Lentz 1976).
  def beta_i (a: t) (b: t) (x: t) : t =
    let fraction (a: t) (b: t) (x: t) : t =
      let safe (y: t) : t = if R.(abs y < f64 1e-30) then R.f64 1e-30 else y
      let d = R.(i64 1 / safe (i64 1 - (a + b) * x / (a + i64 1)))
      let (h, _, _, _, _) =
        loop (h, c, d, delta, m) = (d, one, d, two, 1)
        while m <= limit && R.(abs (delta - i64 1) > f64 1e-16) do
          let k = R.i64 m
          let even = R.(k * (b - k) * x / ((a + two * k - one) * (a + two * k)))
          let d = R.(i64 1 / safe (i64 1 + even * d))
          let c = safe R.(i64 1 + even / c)
          let h = R.(h * d * c)
          let odd =
            R.(neg ((a + k)
                    * (a + b + k)
                    * x
                    / ((a + two * k) * (a + two * k + one))))
          let d = R.(i64 1 / safe (i64 1 + odd * d))
          let c = safe R.(i64 1 + odd / c)
          let delta = R.(d * c)
          in (R.(h * delta), c, d, delta, m + 1)
      in h
    let front =
      R.(exp (lgamma (a + b)
              - lgamma a
              - lgamma b
              + a * log x
              + b * log1p (neg x)))
    in if R.(x <= i64 0)
       then zero
       else if R.(x >= i64 1)
       then one
       else if R.(x < (a + i64 1) / (a + b + i64 2))
       then R.(front * fraction a b x / a)
       else R.(i64 1 - front * fraction b a (i64 1 - x) / b)

  -- | The density of the gamma distribution with this shape and scale 1.
  def gamma_pdf (shape: t) (x: t) : t =
    if R.(x < i64 0)
    then zero
    else R.(exp ((shape - i64 1) * log x - x - lgamma shape))

  -- | The probability that a gamma variable with this shape and scale 1 is not above `x`.
  def gamma_cdf (shape: t) (x: t) : t = gamma_p shape x

  -- | The probability that a chi-squared variable with this many degrees of freedom is not above `x`.
  def chi_squared_cdf (degrees: t) (x: t) : t =
    gamma_p R.(half * degrees) R.(half * x)

  -- | The density of the beta distribution.
  def beta_pdf (a: t) (b: t) (x: t) : t =
    if R.(x < i64 0 || x > i64 1)
    then zero
    else R.(exp (lgamma (a + b)
                 - lgamma a
                 - lgamma b
                 + (a - i64 1) * log x
                 + (b - i64 1) * log1p (neg x)))

  -- | The probability that a beta variable is not above `x`.
  def beta_cdf (a: t) (b: t) (x: t) : t = beta_i a b x

  -- | The density of Student's t-distribution.
  def student_pdf (degrees: t) (x: t) : t =
    R.(exp (lgamma (half * (degrees + i64 1))
            - lgamma (half * degrees)
            - half * (degrees + i64 1) * log1p (x * x / degrees))
       / sqrt (degrees * pi))

  -- | The probability that a variable with Student's t-distribution is not above `x`.
  def student_cdf (degrees: t) (x: t) : t =
    let tail =
      R.(half * beta_i (half * degrees) half (degrees / (degrees + x * x)))
    in if R.(x < i64 0) then tail else R.(i64 1 - tail)

  -- | The probability that a variable with Fisher's F-distribution is not above `x`.
  def fisher_cdf (d1: t) (d2: t) (x: t) : t =
    if R.(x <= i64 0)
    then zero
    else beta_i R.(half * d1) R.(half * d2) R.(d1 * x / (d1 * x + d2))

  -- | The probability of `k` events where `mean` are expected.
  def poisson_pmf (mean: t) (k: i64) : t =
    if k < 0
    then zero
    else let k = R.i64 k
         in R.(exp (k * log mean - mean - lgamma (k + i64 1)))

  -- | The probability of at most `k` events where `mean` are expected.
  def poisson_cdf (mean: t) (k: i64) : t =
    if k < 0 then zero else R.(i64 1 - gamma_p (i64 k + i64 1) mean)

  -- | The probability of `k` successes in `n` trials.
  def binomial_pmf (n: i64) (p: t) (k: i64) : t =
    if k < 0 || k > n
    then zero
    else let others = n - k
         let choices =
           R.(lgamma (i64 n + i64 1)
              - lgamma (i64 k + i64 1)
              - lgamma (i64 n - i64 k + i64 1))
         let term (count: i64) (log_p: t) : t =
           if count == 0 then zero else R.(i64 count * log_p)
         in R.(exp (choices + term k (log p) + term others (log1p (neg p))))

  -- | The probability of at most `k` successes in `n` trials.
  def binomial_cdf (n: i64) (p: t) (k: i64) : t =
    if k < 0
    then zero
    else if k >= n
    then one
    else beta_i (R.i64 (n - k)) (R.i64 (k + 1)) R.(i64 1 - p)
}

-- | Statistics with double precision.
module statistics = mk_statistics f64

-- | Statistics with single precision.
module statistics_f32 = mk_statistics f32
