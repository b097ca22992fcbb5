-- Loops that update arrays in place, element by element: on the way back each update is undone, so that an iteration costs no more than it did. The derivative in
-- reverse agrees with that forwards, where nothing is undone.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def holds [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  let ts = map (\i -> f64.sin (f64.i64 (i + 3))) (iota n)
  let ws = map (\i -> f64.cos (f64.i64 (2 * i + 1))) (iota m)
  let forwards = dot ws (jvp f xs ts)
  let in_reverse = dot (vjp f xs ws) ts
  in f64.abs (forwards - in_reverse) <= 1e-9 * (1 + f64.abs forwards)

-- ==
-- entry: agree
-- input { [0.5, -1.5, 2.0, 3.0, -0.25] } output { [true, true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true, true] }
entry agree [n] (xs: [n]f64) : [6]bool =
  [ holds (\xs ->
    loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i + 1]) xs -- Two updates in an iteration, of which the second may overwrite the first.
  , holds (\xs ->
    loop ys = copy xs
    for i < n do
      let j = i * i % n
      let ys[j] = ys[i] * ys[i]
      let ys[i] = ys[j] + xs[i]
      in ys) xs -- Two arrays and a number.
  , holds (\xs ->
    let (ys, zs, s) =
      loop (ys, zs, s) = (copy xs, replicate n 1, 0)
      for i < n do
        let ys[i] = ys[n - 1 - i] * (s + 1)
        let zs[i] = ys[i] * xs[i]
        in (ys, zs, s + zs[i])
    in map2 (+) ys (map (* s) zs)) xs -- Read by an operator inside, and by a branch.
  , holds (\xs ->
    loop ys = copy xs
    for i < n do
      let s = f64.sum (map (\j -> ys[j] * xs[j]) (iota i))
      let t = if s > 0 then ys[i] * s else ys[i] + s
      in ys with [i] = t) xs -- A matrix of which elements are updated.
  , holds (\xs ->
    flatten (loop m = replicate 2 (copy xs)
             for i < n do
               m with [1, i] = m[0, i] * m[1, n - 1 - i])) xs -- While there is something to do, with integers that are updated, too.
  , holds (\xs ->
    let (ys, _, _) =
      loop (ys, seen, i) = (copy xs, replicate n 0i64, 0)
      while i < n do
        let k = seen[i] + 1
        let seen[n - 1 - i] = k
        in (ys with [i] = ys[i] ** f64.i64 (k + 1), seen, i + 1)
    in ys) xs
  ]

-- Rows are replaced, or read: then all of the array is kept.
-- ==
-- entry: rows
-- input { [0.5, -1.5, 2.0] } output { [true, true, true] }
-- input { empty([0]f64) } output { [true, true, true] }
entry rows [n] (xs: [n]f64) : [3]bool =
  [ holds (\xs ->
    flatten (loop m = replicate 3 (copy xs)
             for i < 3 do
               m with [i] = map (\j -> m[(i + 1) % 3, j] * xs[j]) (iota n))) xs
  , holds (\xs ->
    flatten (loop m = replicate 3 (copy xs)
             for i < 3 do
               m with [i] = map2 (*) m[(i + 1) % 3] xs)) xs
  , holds (\xs ->
    loop ys = copy xs for i < n do
      if i % 2 == 0 then ys with [i] = ys[i] * ys[0] else ys) xs
  ]

-- A long loop: its tape is as long as the array, not as the square of that.
-- ==
-- entry: long
-- compiled input { 200000i64 } output { 1.0 }
-- input { 200i64 } output { 1.0 }
entry long (n: i64) : f64 =
  let xs = replicate n 1
  let f (xs: [n]f64) =
    loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i + 1]
  let g = vjp (\xs -> last (f xs)) xs 1
  in f64.minimum g
