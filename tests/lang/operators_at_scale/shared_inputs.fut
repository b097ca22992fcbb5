-- Reductions in maps over arrays that do not depend on the element: each thread needs all of them.
-- ==
-- entry: pairs
-- input { 1i64 600i64 } output { true }
-- compiled input { 300i64 2000i64 } output { true }
-- compiled input { 1000i64 513i64 } output { true }
-- input { 257i64 1024i64 } output { true }
-- input { 5i64 511i64 } output { true }
-- input { 0i64 700i64 } output { true }
-- input { 700i64 0i64 } output { true }
def numbers (n: i64) (by: i64) : [n]i64 =
  tabulate n (\i -> (i * by + i * i) % 1009)

def all_pairs [n] [m]
              (f: i64 -> i64 -> i64)
              (xs: [n]i64)
              (ys: [m]i64) : [n]i64 =
  map (\x -> 3 * x + i64.sum (map (f x) ys)) xs

def one_by_one [n] [m]
               (f: i64 -> i64 -> i64)
               (xs: [n]i64)
               (ys: [m]i64) : [n]i64 =
  map (\x ->
    let sum = loop sum = 0 for j < m do sum + f x ys[j]
    in 3 * x + sum) xs

entry pairs (n: i64) (m: i64) : bool =
  let (xs, ys) = (numbers n 7, numbers m 11)
  let f x y = (x * y + 1) % 7
  in and (map2 (==) (all_pairs f xs ys) (one_by_one f xs ys))

-- Several columns, in two dimensions.
-- ==
-- entry: columns
-- input { 20i64 30i64 700i64 } output { true }
-- input { 3i64 1i64 1500i64 } output { true }
entry columns (n: i64) (k: i64) (m: i64) : bool =
  let (xs, zs, ys, ws) = (numbers n 7, numbers k 5, numbers m 11, numbers m 13)
  let add (a: i64, b: i64) (c: i64, d: i64) = (a + c, b + d)
  let f x z (y, w) = ((x * y + z) % 7, (x + w * z) % 5)
  let all =
    map (\x ->
      map (\z -> (z, reduce_comm add (0, 0) (map (f x z) (zip ys ws)))) zs) xs
  let one x z = loop sum = (0, 0) for j < m do add sum (f x z (ys[j], ws[j]))
  let same x row =
    and (map2 (\z (k, (a, b)) ->
      let (c, d) = one x z in k == z && a == c && b == d) zs row)
  in and (map2 same xs all)

-- An operator that does not commute: the order of elements is kept.
-- ==
-- entry: in_order
-- input { 300i64 1000i64 } output { true }
-- input { 1i64 3000i64 } output { true }
entry in_order (n: i64) (m: i64) : bool =
  let (xs, ys) = (numbers n 7, numbers m 11)
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let element x y = (1 + (x * 3 + y) % 1000, y % 7)
  let one x = loop sum = (1, 0) for j < m do after sum (element x ys[j])
  let all = map (\x -> reduce after (1, 0) (map (element x) ys)) xs
  in and (map2 (==) all (map one xs))

-- A check that fails in the middle of it.
-- ==
-- entry: outside
-- input { 300i64 1000i64 2000i64 } output { true }
-- input { 300i64 1000i64 900i64 } error: out of bounds
-- input { 300i64 100i64 90i64 } error: out of bounds
entry outside (n: i64) (m: i64) (k: i64) : bool =
  let (xs, ys, table) = (numbers n 7, scan i64.max 0 (iota m), numbers k 3)
  let sums = map (\x -> x + i64.sum (map (\y -> table[y] + x) ys)) xs
  in i64.sum sums > 0
