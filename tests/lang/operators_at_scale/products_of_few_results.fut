-- Products of matrices with few results, each of many elements: what is combined for each is cut into chunks.

def product [n] [m] [k]
            (a: [n][k](i64, i64))
            (b: [m][k](i64, i64)) : [n][m](i64, i64) =
  let add (p, q) (r, s) : (i64, i64) = (p + r, q + s)
  let times (p, q) (r, s) : (i64, i64) = (p * r - q * s, p * s + q * r)
  in map (\x -> map (\y -> reduce add (0, 0) (map2 times x y)) b) a

def right [n] [m] [k]
          (a: [n][k](i64, i64))
          (b: [m][k](i64, i64)) : [n][m](i64, i64) =
  tabulate_2d n m (\i j ->
    loop (p, q) = (0, 0) for l < k do
      let ((r, s), (t, u)) = (a[i, l], b[j, l])
      in (p + r * t - s * u, q + r * u + s * t))

def matrix (n: i64) (m: i64) (seed: i64) : [n][m](i64, i64) =
  tabulate_2d n m (\i j -> ((i * 31 + j * seed) % 97, (i * j + seed) % 89))

-- ==
-- entry: complex
-- input { 33i64 41i64 801i64 } output { true }
-- input { 0i64 40i64 1100i64 } output { true }
-- input { 40i64 40i64 0i64 } output { true }
entry complex (n: i64) (m: i64) (k: i64) : bool =
  let (a, b) = (matrix n k 7, matrix m k 13)
  in and (map2 (\xs ys -> and (map2 (==) xs ys))
               (opaque (product a b))
               (opaque (right a b)))

-- ==
-- entry: four_at_once
-- input { 32i64 33i64 1025i64 } output { true }
entry four_at_once (n: i64) (m: i64) (k: i64) : bool =
  let a = map (map (.0)) (matrix n k 3)
  let bs = map (\s -> map (map (.1)) (matrix m k s)) [5, 7, 11, 13]
  let dot x y = i64.sum (map2 (*) x y)
  let c = map (\x ->
    map4 (\p q r s -> dot x p - 2 * dot x q + 3 * dot x r - 5 * dot x s)
         bs[0]
         bs[1]
         bs[2]
         bs[3]) a
  let at i j =
    i64.sum (map (\l ->
      a[i, l]
      * (bs[0, j, l]
         - 2 * bs[1, j, l]
         + 3 * bs[2, j, l]
         - 5 * bs[3, j, l])) (iota k))
  in and (map2 (\i row -> and (map2 (\j x -> x == at i j) (iota m) row))
               (iota n)
               c)
