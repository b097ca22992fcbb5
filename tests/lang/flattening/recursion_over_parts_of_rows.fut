-- Functions that call themselves for several parts at once: parts of one length, whose results are rows of an
-- array again; parts whose elements are rows; and parts that are found after much else.

-- ==
-- entry: halves
-- input { [1f64, 2f64, 3f64, 4f64] } output { [10f64, -4f64, -2f64, 0f64] }
-- input { [5f64] } output { [5f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- script input { numbers 16i64 } auto output
def halves_of [n] (xs: [n]f64) : [n]f64 =
  if n < 2
  then xs
  else let h = n / 2
       let parts =
         map (\p -> halves_of (tabulate h (\i -> xs[2 * i + p]))) [0, 1]
       in (map2 (+) parts[0] parts[1] ++ map2 (-) parts[0] parts[1]) :> [n]f64

entry halves (xs: []f64) : []f64 = halves_of xs

entry numbers (n: i64) : [n]f64 = map (\i -> f64.i64 (i * i % 11)) (iota n)

def fours_of [n] (xs: [n][2]f64) : [n][2]f64 =
  if n < 4
  then xs
  else let h = n / 4
       let parts =
         map (\p -> fours_of (tabulate h (\i -> map (* 2) xs[4 * i + p])))
             (iota 4)
       in flatten (transpose parts) :> [n][2]f64

-- ==
-- entry: fours
-- input { 1i64 } output { [[0f64, 1f64]] }
-- input { 4i64 } output { [[0f64, 2f64], [4f64, 6f64], [8f64, 10f64], [12f64, 14f64]] }
-- input { 64i64 } auto output
entry fours (n: i64) : [n][2]f64 =
  fours_of (tabulate_2d n 2 (\i j -> f64.i64 (2 * i + j)))

type rec tree = #leaf i64 | #split tree tree

def grow [n] [d] (depth: i64) (xs: [n][d]i64) : tree =
  if depth == 0 || n < 4
  then #leaf (i64.sum (flatten xs))
  else let m = n / 2 + n % 3 - 1
       let l = filter (\x -> x[0] < m) xs
       let r = filter (\x -> x[0] >= m) xs
       in #split (grow (depth - 1) l) (grow (depth - 1) r)

def total (t: tree) : i64 =
  match t
  case #leaf n -> n
  case #split a b -> 3 * total a + total b

-- ==
-- entry: trees_of_rows
-- input { 3i64 0i64 2i64 } output { [0i64, 0i64, 0i64] }
-- input { 1i64 1i64 1i64 } output { [0i64] }
-- input { 0i64 4i64 2i64 } output { empty([0]i64) }
-- input { 2i64 40i64 2i64 } auto output
entry trees_of_rows (k: i64) (n: i64) (d: i64) : [k]i64 =
  map (\i -> total (grow 4 (tabulate_2d n d (\a b -> (a + b * i) % n))))
      (iota k)

-- Rows of rows that each element puts one after the other.
-- ==
-- entry: appended
-- input { [0i64, 3i64, 1i64] } output { [0i64, 9i64, 1i64] [[0i64, 0i64], [9i64, 12i64], [1i64, 2i64]] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0][2]i64) }
entry appended [n] (ks: [n]i64) : ([n]i64, [n][2]i64) =
  let rows (k: i64) : []i64 = filter (\i -> i % 2 == 0 || k > 1) (iota k)
  let yss =
    map (\k ->
      let xs = map (\i -> [i + 1, i + 2]) (rows k)
      let ys = map (\i -> [i, i]) (filter (> 0) (rows k))
      in xs ++ ys) ks
  in ( map (\ys -> i64.sum (map (\y -> y[0]) ys)) yss
     , map (\ys ->
       [i64.sum (map (\y -> y[0]) ys), i64.sum (map (\y -> y[1]) ys)]) yss
     )

type point = {x: f32, y: f32}

type rec quad = #points [?]point | #parts [4]quad

def quads [n] (depth: i64) (c: point) (s: f32) (ps: [n]point) : quad =
  if n <= 2 || depth == 0
  then #points ps
  else let child (p: point) = i64.bool (p.x > c.x) + 2 * i64.bool (p.y > c.y)
       let parts = map (\k -> filter (\p -> child p == k) ps) (iota 4)
       let part (k: i64) (part: []point) =
         let o b = if k >> b & 1 == 1 then s / 2 else -s / 2
         let center = {x = c.x + o 0, y = c.y + o 1}
         in quads (depth - 1) center (s / 2) part
       in #parts (map2 part (iota 4) parts)

def most (t: quad) : i64 =
  match t
  case #points ps -> length ps
  case #parts ts -> 100 + i64.maximum (map most ts)

-- ==
-- entry: quadtree
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 1i64 }
-- input { 60i64 } auto output
entry quadtree (n: i64) : i64 =
  most (quads 6
              {x = 0.5, y = 0.3}
              8
              (map (\i -> {x = f32.i64 (i % 7), y = f32.i64 (i % 3)}) (iota n)))
