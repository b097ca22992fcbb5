-- Products of rows with rows in which each element that is combined has a weight.
-- ==
-- entry: grams
-- input { 2000i64 3i64 } output { true }
-- input { 1500i64 40i64 } output { true }
-- input { 700i64 70i64 } output { true }
-- input { 0i64 70i64 } output { true }
-- input { 64i64 0i64 } output { true }

-- ==
-- entry: distances
-- input { 70i64 65i64 33i64 } output { true }
-- input { 200i64 129i64 64i64 } output { true }
def table (n: i64) (m: i64) (seed: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> (i * 31 + j * seed + i * j) % 97)

entry grams (n: i64) (d: i64) : bool =
  let xs = opaque (table n d 7)
  let ws = opaque (tabulate n (\i -> i % 13))
  let got =
    map (\a ->
      map (\b -> i64.sum (map3 (\x y w -> x * y * w) a b ws))
          (transpose xs)) (transpose xs)
  let at i j = loop s = 0 for k < n do s + xs[k, i] * xs[k, j] * ws[k]
  in and (map2 (\i row -> and (map2 (\j x -> x == at i j) (iota d) row))
               (iota d)
               got)

entry distances (n: i64) (m: i64) (d: i64) : bool =
  let (xs, ys) = (opaque (table n d 7), opaque (table m d 11))
  let ws = opaque (tabulate d (\i -> f32.i64 (i % 3)))
  let far x y w = w * f32.i64 (i64.abs (x - y))
  let got = map (\a -> map (\b -> f32.maximum (map3 far a b ws)) ys) xs
  let at i j =
    loop s = f32.lowest for k < d do f32.max s (far xs[i, k] ys[j, k] ws[k])
  in and (map2 (\i row -> and (map2 (\j x -> x == at i j) (iota m) row))
               (iota n)
               got)
