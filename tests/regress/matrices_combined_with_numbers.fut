-- Products of small matrices with a number beside each that is the same for all elements at first; the unit matrix is tabulated.
-- ==
-- entry: product
-- input { [1.0, 2.0, 0.5] } auto output
-- input { empty([0]f64) } auto output
-- script input { numbers 1000i64 } auto output

-- ==
-- entry: prefixes
-- input { [1.0, 2.0, 0.5] } auto output
-- input { empty([0]f64) } auto output

entry numbers (n: i64) : [n]f64 = tabulate n (\i -> f64.i64 (i % 7) / 7)

type scaled = {m: [3][3]f64, log: f64}

-- As a product of probabilities, which would become too small.
def times (a: scaled) (b: scaled) : scaled =
  let m = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b.m)) a.m
  let z = f64.maximum (map f64.maximum m)
  in {m = map (map (/ z)) m, log = a.log + b.log + f64.log z}

def unit () : scaled =
  {m = tabulate_2d 3 3 (\i j -> if i == j then 1 else 0), log = 0}

def step (x: f64) : scaled =
  {m = [[x, 1, 0.5], [0.25, x + 1, 1], [1, 0, x * x + 0.1]], log = 0}

entry product [n] (xs: [n]f64) : ([3][3]f64, f64) =
  let {m, log} = reduce times (unit ()) (map step xs)
  in (m, log)

entry prefixes [n] (xs: [n]f64) : ([n][3][3]f64, [n]f64) =
  let all = scan times (unit ()) (map step xs)
  in (map (.m) all, map (.log) all)
