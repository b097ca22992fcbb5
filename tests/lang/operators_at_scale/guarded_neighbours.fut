-- Neighbours that are read only where they exist, with the test written in several ways, against a frame of zeros.

def inside [n] [m] (xss: [n][m]i32) (i: i64) (j: i64) : i32 =
  if 0 <= i && i < n && 0 <= j && j < m then xss[i, j] else 0

def outside [n] [m] (xss: [n][m]i32) (i: i64) (j: i64) : i32 =
  if i < 0 || j < 0 || i >= n || j >= m then 0 else xss[i, j]

def one_by_one [n] [m] (xss: [n][m]i32) (i: i64) (j: i64) : i32 =
  if i == -1
  then 0
  else if j <= -1
  then 0
  else if !(j < m)
  then 0
  else if n <= i
  then 0
  else xss[i, j]

def framed [n] [m] (xss: [n][m]i32) (i: i64) (j: i64) : i32 =
  let frame =
    tabulate_2d (n + 2) (m + 2) (\a b ->
      if a == 0 || b == 0 || a > n || b > m then 0 else xss[a - 1, b - 1])
  in frame[i + 1, j + 1]

def sums [n] [m] (at: i64 -> i64 -> i32) (_: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    at (i - 1) (j - 1)
    + 2 * at (i - 1) j
    - 3 * at (i - 1) (j + 1)
    + 4 * at i (j - 1)
    + 5 * at i (j + 1)
    - 6 * at (i + 1) (j - 1)
    + 7 * at (i + 1) j
    + 8 * at (i + 1) (j + 1))

-- ==
-- entry: agree
-- input { 0i64 3i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 2i64 } output { true }
-- input { 5i64 17i64 } output { true }
-- input { 18i64 33i64 } output { true }
-- input { 9i64 70i64 } output { true }
entry agree (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> i32.i64 ((i * 37 + j * 101) % 64 - 20))
  let same a b =
    and (map2 (\xs ys -> and (map2 (==) xs ys)) (sums a xss) (sums b xss))
  in same (inside xss) (outside xss)
     && same (inside xss) (one_by_one xss)
     && same (inside xss) (framed xss)

-- A distance that is not known, which the guard keeps from the beginning or from the end.
-- ==
-- entry: far
-- input { 7i64 3i64 } output { [0i64, 0i64, 0i64, 0i64, 1i64, 2i64, 3i64] [3i64, 4i64, 5i64, 6i64, 0i64, 0i64, 0i64] }
-- input { 2i64 5i64 } output { [0i64, 0i64] [0i64, 0i64] }
-- input { 3i64 0i64 } output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
entry far (n: i64) (r: i64) : ([n]i64, [n]i64) =
  let xs = iota n
  in ( tabulate n (\i -> if r <= i then xs[i - r] else 0)
     , tabulate n (\i -> if n <= i + r then 0 else xs[i + r])
     )
