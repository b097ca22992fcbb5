-- Numbers that kernels compute and that only kernels need: sums, single elements, what is computed from these, what loops hand on.

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

-- Integers, so that all backends agree to the bit.
def idot [n] (a: [n]i64) (b: [n]i64) : i64 = i64.sum (map2 (*) a b)

-- ==
-- tune @ ../cliffs/loops_apart.tune
-- entry: mean
-- input { 3i64 [1f64, 2f64, 3f64, 6f64] } output { [3.121615725319472f64, 3.272844777128026f64, 3.4240738289365806f64, 3.8777609843622445f64] }
-- input { 2i64 [5f64] } output { [11.25f64] }
-- input { 2i64 empty([0]f64) } output { empty([0]f64) }
entry mean [n] (steps: i64) (xs: [n]f64) : [n]f64 =
  loop xs for _i < steps do
    let mean = f64.sum xs / f64.i64 n
    let deviation =
      f64.sqrt (f64.sum (map (\x -> (x - mean) ** 2) xs) / f64.i64 n)
    in map (\x -> x / (deviation + 1) + mean / 2) xs

-- ==
-- entry: conjugate
-- input { [[4f64, 1f64], [1f64, 3f64]] [1f64, 2f64] 1i64 } output { [0.25f64, 0.5f64] 0.3125f64 }
-- input { [[4f64]] [2f64] 1i64 } output { [0.5f64] 0.0f64 }
-- input { [[4f64]] [2f64] 0i64 } output { [0.0f64] 4.0f64 }
entry conjugate [n] (a: [n][n]f64) (b: [n]f64) (steps: i64) : ([n]f64, f64) =
  let (x, _, _, rho) =
    loop (x, r, p, rho) = (replicate n 0, b, b, dot b b) for _i < steps do
      let q = map (dot p) a
      let alpha = rho / dot p q
      let x = map2 (\x p -> x + alpha * p) x p
      let r = map2 (\r q -> r - alpha * q) r q
      let next = dot r r
      let beta = next / rho
      in (x, r, map2 (\r p -> r + beta * p) r p, next)
  in (x, rho)

-- ==
-- entry: handed_on
-- input { 5i64 [3i64, 1i64, 4i64, 1i64, 5i64] } output { [412i64, -74i64, 655i64, -74i64, 898i64] 5i64 395i64 245i64 }
-- input { 0i64 [3i64] } output { [3i64] 0i64 1i64 7i64 }
-- input { 1i64 [3i64] } output { [6i64] 3i64 5i64 3i64 }
entry handed_on [n] (k: i64) (xs: [n]i64) : ([n]i64, i64, i64, i64) =
  loop (xs, s, t, last) = (xs, 0, 1, 7) for i < k do
    let most = i64.maximum xs
    let p = if i > 0 then xs[i - 1] else most
    let q = xs[i % n]
    in (map (\x -> x * 3 + s - p) xs, s + p, t * 2 + q, most)

-- An index that is known on the device only: the row of the pivot.
-- ==
-- entry: eliminate
-- input { [[2f64, 1f64, 1f64], [4f64, 3f64, 3f64], [8f64, 7f64, 9f64]] } output { [[1.0f64, 0.0f64, 0.0f64], [0.0f64, 1.0f64, 0.0f64], [-0.0f64, -0.0f64, 1.0f64]] }
-- input { [[2f64]] } output { [[1.0f64]] }
entry eliminate [n] (a: *[n][n]f64) : [n][n]f64 =
  loop a for k < n do
    let column = map (\i -> if i < k then -1 else f64.abs a[i, k]) (iota n)
    let best =
      reduce (\(x, i) (y, j) ->
                if x > y || (x == y && i < j) then (x, i) else (y, j))
             (-f64.inf, n)
             (zip column (iota n))
    let pivot = best.1
    let row = map (\j -> a[pivot, j] / a[pivot, k]) (iota n)
    in tabulate_2d n n (\i j ->
      let i' = if i == pivot then k else if i == k then pivot else i
      in if i == k then row[j] else a[i', j] - a[i', k] * row[j])

-- ==
-- entry: in_place
-- input { [5i64, 2i64, 7i64, 1i64] } output { [-4503252421149642448i64, 6193i64, 191778624i64, 183895203500224127i64] }
-- input { [5i64] } output { [105i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry in_place [n] (xs: *[n]i64) : *[n]i64 =
  loop xs for i < n do
    let x = xs[i]
    let ys = map (\y -> y + x) (copy xs)
    let xs = xs with [i] = i64.sum ys
    let z = xs[i]
    let t = i64.sum (map (\y -> y * z) ys)
    in xs with [(i + 1) % n] = t + x

-- The condition needs the number, so the host reads it, once for everything that needs it.
-- ==
-- entry: until
-- input { 100i64 [1i64, 2i64, 3i64] } output { [108i64, 109i64, 110i64] 162i64 109i64 }
-- input { 0i64 [1i64, 2i64, 3i64] } output { [1i64, 2i64, 3i64] 0i64 0i64 }
entry until [n] (most: i64) (xs: [n]i64) : ([n]i64, i64, i64) =
  loop (xs, total, before) = (xs, 0, 0) while total < most do
    let total' = i64.sum xs
    let largest = i64.maximum xs
    in (map (\x -> x + total' % 7 + before) xs, total', largest + before)

-- Where branches join.
-- ==
-- entry: joined
-- input { true [1i64, 2i64, 3i64] } output { [-4i64, 3i64, 10i64] [6i64] }
-- input { false [1i64, 2i64, 3i64] } output { [-1i64, 2i64, 5i64] [2i64] }
entry joined [n] (sums: bool) (xs: [n]i64) : ([n]i64, [1]i64) =
  let (s, ys) = if sums then (i64.sum xs, map (+ 1) xs) else (xs[1], xs)
  let t = match n case 0 -> 0 case 3 -> s * 2 case _ -> s
  in (map2 (\x y -> x * s + y - t) xs ys, [s])

-- What is made of such a number is new each time.
-- ==
-- entry: own_memory
-- input { [1i64, 2i64, 3i64] } output { [5i64] [7i64] [7i64, 8i64, 9i64] }
entry own_memory [n] (xs: [n]i64) : ([1]i64, [1]i64, [n]i64) =
  let s = i64.sum xs
  let a = [s] with [0] = 5
  let b = [s] with [0] = a[0] + 2
  in (a, b, map (+ s) xs)

-- In functions, and in loops in loops.
def norm [n] (xs: [n]i64) : i64 = i64.sum (map i64.abs xs) + 1

-- ==
-- entry: nested
-- input { 3i64 2i64 [1i64, -2i64, 3i64] } output { [1076i64, 1476i64, 1476i64] 2752i64 }
-- input { 3i64 0i64 [1i64, -2i64, 3i64] } output { [53i64, 50i64, 55i64] 56i64 }
entry nested [n] (k: i64) (m: i64) (xs: [n]i64) : ([n]i64, i64) =
  loop (xs, s) = (xs, norm xs) for i < k do
    let (ys, t) =
      loop (ys, t) = (xs, s) for j < m do
        let u = idot ys xs
        in (map (\y -> (y * t + u + j) % 1000) ys, norm ys)
    in (map (\y -> y + t + i) ys, s + t)

-- A kernel of the condition needs what the loop hands on; a sum is handed on, and others are computed with it.
-- ==
-- entry: in_condition
-- input { [1i64, 2i64, 3i64] } output { [92i64, 93i64, 94i64] 258i64 }
entry in_condition [n] (xs: [n]i64) : ([n]i64, i64) =
  loop (xs, s) = (xs, 0) while i64.sum (map (\x -> x + s) xs) < 1000 do
    let t = i64.sum xs
    in (map (+ 7) xs, t)

-- ==
-- entry: used_twice
-- no_cpu input { 3i64 [1i64, 2i64, 3i64] } output { [39i64, 40i64, 41i64] 42i64 }
-- structure run { launches 6 waits 1 }
entry used_twice [n] (k: i64) (xs: [n]i64) : ([n]i64, i64) =
  loop (xs, s) = (xs, 0) for _i < k do
    let t = i64.sum xs
    let mean = t / 3
    in (map (\x -> x + mean + s) xs, t)
