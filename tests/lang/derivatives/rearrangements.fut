-- Concatenations, rotations, slices, transposes and what else moves elements. The derivative in reverse agrees with that forwards (the product of a weight with a change is the same from both
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
-- entry: rearrangements
-- input { [0.5, -1.5, 2.0, 3.0, -0.25, 1.0] } output { [true, true, true, true, true, true] }
entry rearrangements (xs: [6]f64) : [6]bool =
  let weighted [n] (xs: [n]f64) : [n]f64 =
    map2 (\i x -> f64.i64 i * x * x) (iota n) xs
  in [ holds (\xs -> weighted (reverse xs ++ rotate 2 xs)) xs
     , holds (\xs ->
       weighted (flatten (transpose (unflatten (xs :> [2 * 3]f64))))) xs
     , holds (\xs -> weighted (xs[1:5] ++ (xs[::-2] :> [3]f64))) xs
     , holds (\xs -> weighted (flatten (replicate 3 (take 2 xs)))) xs
     , holds (\xs ->
       let m = copy (unflatten (xs :> [2 * 3]f64))
       let m[1, 0:2] = [m[0, 0] * 2, m[0, 1] * m[1, 2]]
       in weighted (flatten m)) xs
     , holds (\xs ->
       let m = unflatten (xs :> [2 * 3]f64)
       in weighted (map (\i -> m[i % 2, i % 3] * m[0][2]) (iota 5))) xs
     ]
