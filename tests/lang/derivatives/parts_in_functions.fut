-- Functions that read elements of an array which a lambda takes from around it: what they yield of its adjoint are entries, and not an array for each thread.

def element [n] (xs: [n]f64) (i: i64) : f64 = xs[i]

def apart [n] [d] (xs: [n][d]f64) (i: i64) (j: i64) : f64 =
  f64.sum (map2 (\a b -> (a - b) * (a - b)) xs[i] xs[j])

def through [n] (xs: [n]f64) (i: i64) : f64 =
  element xs i * element xs (n - 1 - i)

-- ==
-- entry: pairs
-- input { [[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]] [0i64, 2i64, 2i64] [1i64, 1i64, 0i64] }
-- output { [[-2.0, -4.0], [10.0, 14.0], [-8.0, -10.0]] }
entry pairs [n] [m] [d] (xs: [n][d]f64) (is: [m]i64) (js: [m]i64) : [n][d]f64 =
  vjp (\xs -> f64.sum (map2 (\i j -> apart xs i j) is js)) xs 1

-- ==
-- entry: elements
-- input { [1.0, 2.0, 4.0] [0i64, 1i64, 0i64] } output { [8.0, 4.0, 2.0] }
-- input { [1.0, 2.0, 4.0] empty([0]i64) } output { [0.0, 0.0, 0.0] }
entry elements [n] [m] (xs: [n]f64) (is: [m]i64) : [n]f64 =
  vjp (\xs -> f64.sum (map (through xs) is)) xs 1

-- ==
-- entry: in_loop
-- input { [1.0, 2.0, 4.0] } output { [1.0, 2.0, 3.0] }
entry in_loop [n] (xs: [n]f64) : [n]f64 =
  let sum (xs: [n]f64) =
    loop s = xs[0] for i < n - 1 do s + f64.i64 (i + 2) * element xs (i + 1)
  in vjp sum xs 1

-- ==
-- entry: first
-- input { [[1.0, 2.0, 4.0], [3.0, 2.0, 1.0]] 2i64 } output { [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]] }
entry first [n] [m] (xss: [n][m]f64) (k: i64) : [n][m]f64 =
  vjp (\(xss: [n][m]f64) ->
         f64.sum (tabulate n (\i -> f64.sum (take k xss[i]))))
      xss
      1

-- With as many threads there is no memory for an array in each.
-- ==
-- entry: many
-- random input { [3000]f64 [3000]i64 [3000]i64 }
-- structure run { launches 7 }
entry many [n] [m] (xs: [n]f64) (is: [m]i64) (js: [m]i64) : [n]f64 =
  vjp (\xs ->
    f64.sum (map2 (\i j -> element xs (i % n) * element xs (j % n)) is js)) xs 1
