-- What is made in the order of its transposed input, and is seen in threads under another shape. Every thread copied its part first, into memory
-- that grew until there was enough.
-- ==
-- entry: unpooled
-- input { 3i64 4i64 6i64 } output { [[42i64, 11i64, 14i64, 19i64], [37i64, 40i64, 8i64, 13i64], [37i64, 41i64, 39i64, 7i64]] }
-- entry: unpooled
-- input { 1i64 1i64 2i64 } output { [[20i64]] }
-- entry: pooled_sums
-- input { 200i64 7i64 10i64 } output { 1128513i64 }
def pool [h] [w] (x: [h][w]i64) : ([h / 2][w / 2]i64, [h / 2][w / 2]i64) =
  let cell y x' =
    loop (v, i) = (-1000i64, 0i64) for d < 4 do
      let (a, b) = (2 * y + d / 2, 2 * x' + d % 2)
      in if x[a, b] > v then (x[a, b], a * w + b) else (v, i)
  in unzip (map unzip (tabulate_2d (h / 2) (w / 2) cell))

def images (n: i64) (f: i64) (o: i64) : [n][f][o][o]i64 =
  let flat =
    opaque (tabulate_2d (n * (o * o)) f (\i j -> (i * 7 + j * 5) % 43 - j))
  let scale = opaque (tabulate_2d (n * (o * o)) f (\i j -> (i + j) % 2))
  let both = map2 (map2 (\x s -> if s == 0 then x else x - s)) flat scale
  in map (\img -> map unflatten (transpose img)) (unflatten both)

def back (n: i64) (f: i64) (o: i64) : [n][f][o * o]i64 =
  let (pooled, places) =
    unzip (map (\img -> unzip (map pool img)) (images n f o))
  in map2 (\vs is ->
    map2 (\v i -> scatter (replicate (o * o) 0) i v)
         (map flatten vs)
         (map flatten is)) pooled places

entry unpooled (n: i64) (f: i64) (o: i64) : [n][f]i64 =
  map (map (\row -> row[0] + row[1] + row[o] + row[o + 1])) (back n f o)

entry pooled_sums (n: i64) (f: i64) (o: i64) : i64 =
  i64.sum (map (\img -> i64.sum (map i64.sum img)) (back n f o))
