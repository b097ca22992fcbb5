-- Filters and partitions whose values are rows: short and long ones, matrices, records of rows and scalars, rows that are computed,
-- and conditions that look at what is computed.

def h (i: i64) : i64 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in i64.u32 (x ^ (x >> 12)) % 1000

def table (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> h (i * m + j))

-- A number for all elements and their places.
def mark [n] [m] (xss: [n][m]i64) : i64 =
  i64.sum (flatten (map2 (\i xs ->
                            map2 (\j x -> (x + 1) * (i * 31 + j + 7) % 10007)
                                 (iota m)
                                 xs)
                         (iota n)
                         xss))

-- ==
-- entry: of_inputs
-- input { 0i64 3i64 } output { 0i64 0i64 }
-- input { 1i64 1i64 } output { 1i64 7i64 }
-- input { 10i64 0i64 } output { 10i64 0i64 }
-- input { 1000i64 2i64 } output { 474i64 4868942i64 }
-- input { 5000i64 7i64 } output { 2505i64 87434811i64 }
-- input { 300i64 33i64 } output { 157i64 25818958i64 }
entry of_inputs (n: i64) (m: i64) : (i64, i64) =
  let xss = table n m
  let ys = filter (\xs -> i64.sum xs % 2 == 0) xss
  let zs =
    map (.0)
        (filter (\(_, c) -> c) (zip xss (map (\xs -> i64.sum xs % 2 == 0) xss)))
  let k = length ys
  let same =
    and (map2 (\a b -> and (map2 (==) a b)) (ys :> [k][m]i64) (zs :> [k][m]i64))
  in (assert same k, mark ys)

-- ==
-- entry: of_pairs
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- input { [[1, 2], [3, 3], [0, 5], [7, 1]] } output { [[1, 2], [0, 5]] }
entry of_pairs (edges: [][2]i32) : [][2]i32 = filter (\e -> e[0] < e[1]) edges

-- ==
-- entry: of_matrices
-- input { 1000i64 3i64 2i64 } output { 503i64 2556i64 }
-- input { 4000i64 2i64 2i64 } output { 1986i64 9929i64 }
entry of_matrices (n: i64) (m: i64) (k: i64) : (i64, i64) =
  let ms = tabulate_3d n m k (\i j l -> h (i * m * k + j * k + l))
  let ys = filter (\a -> a[0, 0] % 2 == 0) ms
  in (length ys, i64.sum (map (\a -> a[m - 1, k - 1] % 9 + a[0, k - 1] % 3) ys))

-- ==
-- entry: records
-- input { 3000i64 5i64 } output { 2028i64 2028i64 true }
-- input { 77i64 40i64 } output { 56i64 56i64 true }
entry records (n: i64) (m: i64) : (i64, i64, bool) =
  let xss = table n m
  let all =
    zip4 (iota n)
         xss
         (map (\xs -> [xs[0], xs[m - 1]]) xss)
         (map (\xs -> f32.i64 xs[0]) xss)
  let (is, ys, ends, _) =
    unzip4 (filter (\(i, xs, e, _) -> (i + xs[0] + e[1]) % 3 != 0) all)
  in ( length ys
     , length is
     , and (map3 (\i y e ->
                    and (map2 (==) y xss[i])
                    && e[0] == y[0]
                    && e[1] == y[m - 1])
                 is
                 ys
                 ends)
     )

-- Rows that the filter computes, of scalars; and that nobody needs if they are not chosen.
-- ==
-- entry: computed
-- input { 2000i64 3i64 } output { 667i64 9997827i64 }
-- input { 200i64 300i64 } output { 67i64 100703508i64 }
entry computed (n: i64) (m: i64) : (i64, i64) =
  let ys =
    map (.1)
        (filter (\(i, _) -> i % 3 == 0)
                (map (\i -> (i, map (\j -> h (i + j * j)) (iota m))) (iota n)))
  in (length ys, mark ys)

-- ==
-- entry: by_what_is_computed
-- input { 2000i64 3i64 } output { 1836i64 27378910i64 }
-- input { 200i64 300i64 } output { 200i64 299137412i64 }
entry by_what_is_computed (n: i64) (m: i64) : (i64, i64) =
  let ys =
    filter (\xs -> xs[0] + xs[m - 1] < 1000)
           (map (\i -> scan (+) 0 (map (\j -> h (i + j * j) / m) (iota m)))
                (iota n))
  in (length ys, mark ys)

-- ==
-- entry: triples
-- input { 2000i64 } output { 980i64 true }
-- input { 1i64 } output { 0i64 true }
entry triples (n: i64) : (i64, bool) =
  let ps = map (\i -> [f32.i64 (h i), f32.i64 (h (i + 1)), 3]) (iota n)
  let qs = filter (\p -> p[0] > p[1]) ps
  in (length qs, and (map (\q -> q[0] > q[1] && q[2] == 3) qs))

-- The same row for each, from outside.
-- ==
-- entry: the_same
-- input { [1i64, 2i64, 3i64, 4i64] [7i64, 8i64] } output { [[7i64, 8i64], [7i64, 8i64]] }
entry the_same [m] (xs: []i64) (row: [m]i64) : [][m]i64 =
  map (.1) (filter (\(x, _) -> x % 2 == 0) (map (\x -> (x, row)) xs))

-- Elements that are not chosen fail as well.
-- ==
-- entry: fails
-- input { [0i64, 1i64] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[1i64, 2i64, 3i64]] }
-- input { [0i64, 2i64] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } error: out of bounds
entry fails [n] [m] (is: []i64) (xss: [n][m]i64) : [][m]i64 =
  map (.1) (filter (\(i, _) -> i == 0) (map (\i -> (i, xss[i])) is))

-- ==
-- entry: parted
-- input { 0i64 4i64 } output { 0i64 0i64 }
-- input { 1000i64 2i64 } output { 526i64 10113373i64 }
-- input { 999i64 20i64 } output { 493i64 100475718i64 }
entry parted (n: i64) (m: i64) : (i64, i64) =
  let (ys, zs) = partition (\xs -> i64.sum xs % 2 == 1) (table n m)
  in (length ys, mark (ys ++ zs))

-- ==
-- entry: parted_pairs
-- input { [[1, 2], [3, 3], [0, 5], [7, 1]] } output { [[1, 2], [0, 5]] [[3, 3], [7, 1]] }
entry parted_pairs (edges: [][2]i32) : ([][2]i32, [][2]i32) =
  partition (\e -> e[0] < e[1]) edges

-- In a loop, until few are left.
-- ==
-- entry: again
-- input { 3000i64 6i64 } output { 6i64 52i64 }
entry again (n: i64) (m: i64) : (i64, i64) =
  loop (steps, left) = (0, n) while left > 100 do
    let kept = filter (\xs -> h (xs[0] + steps) % 2 == 0) (table left m)
    in (steps + 1, length kept)
