-- What derivatives are for: the cost of k-means with Newton's method, a small neural network, and a step of Levenberg and Marquardt.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def near (a: f64) (b: f64) : bool =
  f64.abs (a - b) <= 1e-5 * (1 + f64.abs a + f64.abs b)

-- # k-means

def distance [d] (p: [d]f64) (q: [d]f64) : f64 =
  f64.sum (map2 (\a b -> (a - b) ** 2) p q)

def cost [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : f64 =
  f64.sum (map (\p -> f64.minimum (map (distance p) centres)) points)

-- The Hessian of the cost is diagonal, so that one product with it yields all of it: Newton's step is division.
-- ==
-- entry: kmeans
-- input { [[0.0, 0.0], [1.0, 0.0], [5.0, 5.0], [6.0, 5.0], [7.0, 5.0]] [[0.5, 1.0], [5.0, 4.0]] }
-- output { [[0.5, 0.0], [6.0, 5.0]] }
entry kmeans [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  let gradient (centres: [k][d]f64) = vjp (cost points) centres 1
  let (g, h) = jvp2 gradient centres (replicate k (replicate d 1))
  in map3 (map3 (\c g h -> c - g / h)) centres g h

-- # A neural network

type~ network [i] [h] = {first: [h][i]f64, bias: [h]f64, second: [h]f64}

def predict [i] [h] (net: network [i] [h]) (x: [i]f64) : f64 =
  let hidden = map2 (\w b -> f64.tanh (dot w x + b)) net.first net.bias
  in dot net.second hidden

def loss [n] [i] [h] (xs: [n][i]f64) (ys: [n]f64) (net: network [i] [h]) : f64 =
  f64.sum (map2 (\x y -> (predict net x - y) ** 2) xs ys)

def start (i: i64) (h: i64) : network [i] [h] =
  { first = tabulate_2d h i (\j k -> f64.sin (f64.i64 (3 * j + k + 1)))
  , bias = tabulate h (\j -> f64.cos (f64.i64 j))
  , second = tabulate h (\j -> f64.sin (f64.i64 (j + 2)))
  }

-- It learns exclusive or.
-- ==
-- entry: learns
-- input { 300i64 } output { true }
entry learns (steps: i64) : bool =
  let xs = [[0, 0], [0, 1], [1, 0], [1, 1]]
  let ys = [0, 1, 1, 0]
  let step (net: network [2] [6]) : network [2] [6] =
    let g = vjp (loss xs ys) net 1
    let down (x: f64) (g: f64) = x - 0.1 * g
    in { first = map2 (map2 down) net.first g.first
       , bias = map2 down net.bias g.bias
       , second = map2 down net.second g.second
       }
  let net = loop net = start 2 6 for _i < steps do step net
  in loss xs ys net < 0.1

-- The gradient is right in one direction.
-- ==
-- entry: gradient_of_network
-- input { [[0.5, -1.0], [2.0, 0.25], [-0.5, 1.5]] [1.0, -1.0, 0.5] } output { true }
-- input { empty([0][2]f64) empty([0]f64) } output { true }
entry gradient_of_network [n] (xs: [n][2]f64) (ys: [n]f64) : bool =
  let net = start 2 3
  let along = {first = net.first, bias = net.second, second = net.bias}
  let g = vjp (loss xs ys) net 1
  let product =
    f64.sum (map2 dot g.first along.first)
    + dot g.bias along.bias
    + dot g.second along.second
  let h = 1e-6
  let moved (h: f64) : network [2] [3] =
    { first = map2 (map2 (\x t -> x + h * t)) net.first along.first
    , bias = map2 (\x t -> x + h * t) net.bias along.bias
    , second = map2 (\x t -> x + h * t) net.second along.second
    }
  let expected = (loss xs ys (moved h) - loss xs ys (moved (-h))) / (2 * h)
  in near product expected && near (jvp (loss xs ys) net along) expected

-- # Least squares

-- Residuals of an exponential: a * exp (b * t) - y.
def residuals [n] (ts: [n]f64) (ys: [n]f64) (p: [2]f64) : [n]f64 =
  map2 (\t y -> p[0] * f64.exp (p[1] * t) - y) ts ys

-- One step: the Jacobian forwards, in two directions at once, then the normal equations of two unknowns.
def improved [n] (ts: [n]f64) (ys: [n]f64) (p: [2]f64) : [2]f64 =
  let (r, columns) = jmp2 (residuals ts ys) p [[1, 0], [0, 1]]
  let (a, b) = (columns[0], columns[1])
  let (aa, ab, bb) = (1.001 * dot a a, dot a b, 1.001 * dot b b)
  let (ra, rb) = (dot a r, dot b r)
  let determinant = aa * bb - ab * ab
  in [ p[0] - (bb * ra - ab * rb) / determinant
     , p[1] - (aa * rb - ab * ra) / determinant
     ]

-- ==
-- entry: least_squares
-- input { [0.0, 1.0, 2.0, 3.0] [2.0, 1.2130613194, 0.7357588823, 0.4462603203] } output { [2.0, -0.5] }
entry least_squares [n] (ts: [n]f64) (ys: [n]f64) : [2]f64 =
  loop p = [1, 0] for _i < 30 do improved ts ys p

-- The same Jacobian in reverse, a row for each residual.
-- ==
-- entry: jacobians
-- input { [0.0, 1.0, 2.0] [1.0, 1.0, 1.0] [2.0, -0.5] } output { true }
entry jacobians [n] (ts: [n]f64) (ys: [n]f64) (p: [2]f64) : bool =
  let columns = jmp (residuals ts ys) p [[1, 0], [0, 1]]
  let unit = tabulate_2d n n (\i j -> if i == j then 1 else 0)
  let rows = mjp (residuals ts ys) p unit
  in and (map2 (\xs ys -> and (map2 near xs ys)) (transpose columns) rows)
