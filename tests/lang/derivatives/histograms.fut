-- Histograms: by sums, products, maxima and any operator; also of rows. The derivative in reverse agrees with that forwards (the product of a weight with a change is the same from both
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
-- entry: histograms
-- input { [0.5, -1.5, 2.0, 3.0, -0.25] } output { [true, true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true, true] }
entry histograms [n] (xs: [n]f64) : [6]bool =
  let bins = map (\i -> i * i % 4 - i64.bool (i == 2)) (iota n)
  let one = replicate 3 1
  in [ holds (\xs -> hist (+) 0 3 bins (map (\x -> x * x) xs)) xs
     , holds (\xs -> hist (*) 1 3 bins xs) xs
     , holds (\xs -> hist f64.max (-10) 3 bins xs) xs
     , holds (\xs ->
                reduce_by_index (copy one) (\a b -> a + b + a * b) 0 bins xs)
             xs
     , holds (\xs ->
       flatten (hist (map2 (+)) [0, 0] 3 bins (map (\x -> [x, x * x]) xs))) xs
     , holds (\xs ->
       reduce_by_index (replicate 3 (f64.sum xs))
                       (*)
                       1
                       bins
                       (map (\x -> x + 2) xs)) xs
     ]
