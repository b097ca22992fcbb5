-- Products of matrices in batches, from either side, with something behind the sum: all are computed in tiles where they are large.

def a (i: i64) (j: i64) (k: i64) : i32 = i32.i64 ((i * 7 + j * 3 + k * 5) % 11)

def b (i: i64) (j: i64) (k: i64) : i32 = i32.i64 ((i * 2 + j * 9 + k) % 13)

-- Each result by itself.
def one (l: i64) (i: i64) (j: i64) (k: i64) : i32 =
  loop s = 0 for m < l do s + a i j m * b i m k

def dot [l] (xs: [l]i32) (ys: [l]i32) : i32 = i32.sum (map2 (*) xs ys)

def check [n] [r] [c]
          (l: i64)
          (f: i64 -> i64 -> i32 -> i32)
          (zs: [n][r][c]i32) : bool =
  and (map2 (\i zss ->
    and (map2 (\j zs ->
                 and (map2 (\k z -> z == f i k (one l i j k)) (iota c) zs))
              (iota r)
              zss)) (iota n) zs)

-- ==
-- entry: by_transposition by_indices turned with_bias
-- seldom input { 2i64 70i64 70i64 67i64 } output { true }
-- input { 2i64 64i64 33i64 70i64 } output { true }
-- compiled input { 1i64 129i64 32i64 129i64 } output { true }
-- input { 40i64 9i64 5i64 7i64 } output { true }
-- input { 0i64 5i64 5i64 5i64 } output { true }
-- input { 2i64 70i64 0i64 80i64 } output { true }
entry by_transposition (n: i64) (r: i64) (l: i64) (c: i64) : bool =
  let xs = tabulate_3d n r l a
  let ys = tabulate_3d n l c b
  in check l
           (\_ _ s -> s)
           (#[opaque] map2 (\x y -> map (\row -> map (dot row) (transpose y)) x)
                           xs
                           ys)

entry by_indices (n: i64) (r: i64) (l: i64) (c: i64) : bool =
  let xs = tabulate_3d n r l a
  let ys = tabulate_3d n l c b
  in check l
           (\_ _ s -> s)
           (#[opaque] tabulate_3d n r c (\i j k ->
             i32.sum (tabulate l (\m -> xs[i, j, m] * ys[i, m, k]))))

-- What is summed over comes first, and batches last.
entry turned (n: i64) (r: i64) (l: i64) (c: i64) : bool =
  let xs = tabulate_3d l r n (\m j i -> a i j m)
  let ys = tabulate_3d c n l (\k i m -> b i m k)
  in check l
           (\_ _ s -> s)
           (#[opaque] tabulate_3d n r c (\i j k ->
             i32.sum (tabulate l (\m -> xs[m, j, i] * ys[k, i, m]))))

entry with_bias (n: i64) (r: i64) (l: i64) (c: i64) : bool =
  let xs = tabulate_3d n r l a
  let ys = tabulate_3d n l c b
  let bias = tabulate c (\k -> i32.i64 (k % 5) - 400)
  let relu x = i32.max 0 x
  in check l
           (\_ k s -> relu (s + bias[k]))
           (#[opaque] map2 (\x y ->
             map (\row ->
                    map2 (\col e -> relu (dot row col + e)) (transpose y) bias)
                 x) xs ys)
