-- Functions that call themselves, have operators inside, and make or use trees: they run for all rows of a map at once.
-- ==
-- entry: sums
-- input { [4i64, 0i64, 1i64, 7i64] } output { [7i64, 0i64, 0i64, 27i64] [7i64, 1i64, 1i64, 17i64] }
-- compiled input { [400i64, 300i64, 0i64, 2i64] } output { [79806i64, 43953i64, 0i64, 1i64] [31i64, 31i64, 1i64, 3i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }

type rec tree = #leaf ([]i64) | #node i64 tree tree

def build (d: i64) (xs: []i64) : tree =
  if d == 0 || length xs < 2
  then #leaf xs
  else let p = xs[length xs / 2]
       in #node p
                (build (d - 1) (filter (< p) xs))
                (build (d - 1) (filter (>= p) xs))

def sum (t: tree) : i64 =
  match t
  case #leaf xs -> i64.sum xs
  case #node p l r -> (if p < 0 then 1 else 0) + sum l + sum r

def nodes (t: tree) : i64 =
  match t
  case #leaf _ -> 1
  case #node _ l r -> 1 + nodes l + nodes r

def shuffled (n: i64) : []i64 = map (\i -> (i * 7) % (n + 1)) (iota n)

entry sums [n] (lengths: [n]i64) : ([n]i64, [n]i64) =
  let trees = map (\m -> build 4 (shuffled m)) lengths
  in (map sum trees, map nodes trees)

-- Trees with any number of parts: all parts of all trees at once.
-- ==
-- entry: roses
-- input { [0i64, 1i64, 3i64] 2i64 } output { [0i64, 3i64, 39i64] [1i64, 3i64, 13i64] }
type rec rose = #rose i64 ([]rose)

def grow (x: i64) (d: i64) : rose =
  #rose x (if d == 0 then [] else map (\_i -> grow x (d - 1)) (iota x))

def total (t: rose) : i64 =
  match t
  case #rose x parts -> x + i64.sum (map total parts)

def count (t: rose) : i64 =
  match t
  case #rose _ parts -> 1 + i64.sum (map count parts)

entry roses [n] (xs: [n]i64) (d: i64) : ([n]i64, [n]i64) =
  unzip (map (\x -> let t = grow x d in (total t, count t)) xs)
