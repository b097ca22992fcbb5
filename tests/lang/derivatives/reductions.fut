-- Reductions: by sums, products, and any operator. The derivative in reverse agrees with that forwards (the product of a weight with a change is the same from both
-- sides), and that with finite differences.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def near (a: f64) (b: f64) : bool =
  f64.abs (a - b) <= 1e-5 * (1 + f64.abs a + f64.abs b)

-- Weights and changes that have nothing to do with the values.
def some (n: i64) (seed: i64) : [n]f64 =
  map (\i -> f64.sin (f64.i64 ((i + 1) * (seed + 7)))) (iota n)

def holds [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  let ts = some n 3
  let ws = some m 5
  let h = 1e-6
  let up = f (map2 (\x t -> x + h * t) xs ts)
  let down = f (map2 (\x t -> x - h * t) xs ts)
  let difference = dot ws (map2 (\a b -> (a - b) / (2 * h)) up down)
  let forwards = dot ws (jvp f xs ts)
  let in_reverse = dot (vjp f xs ws) ts
  in near forwards difference && near in_reverse forwards

-- ==
-- entry: reductions
-- input { [0.5, -1.5, 2.0, 3.0] } output { [true, true, true, true, true, true] }
-- input { [0.0, -1.5, 0.0, 3.0] } output { [true, true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true, true] }
entry reductions [n] (xs: [n]f64) : [6]bool =
  [ holds (\xs -> [f64.sum xs]) xs
  , holds (\xs -> [f64.product xs]) xs
  , holds (\xs -> [reduce (\a b -> a + b + a * b) 0 xs]) xs
  , holds (\xs -> [f64.sum (map (\x -> x * x) xs) / f64.i64 (n + 1)]) xs
  , holds (\xs ->
    let (a, b) =
      reduce (\(a, b) (c, d) -> (a * c, a * d + b))
             (1, 0)
             (map (\x -> (x, x * x)) xs)
    in [a, b]) xs
  , holds (\xs ->
             map (\i -> reduce (\a b -> a * b + 0 * xs[i]) 1 xs) (iota n))
          xs
  ]
