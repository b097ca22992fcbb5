-- Functions with operators inside that call themselves are lifted, so that all elements are at the same depth at once; here, each thread does its own recursion.

def weighted (n: i64) : i64 =
  if n == 0
  then 0
  else let xs = map (+ n) (iota n)
       in xs[n / 2] + weighted (n - 1) * i64.sum xs

-- ==
-- tune @ threads.tune
-- entry: numbers
-- input { 9i64 } output { [0i64, 1i64, 8i64, 100i64, 2206i64, 77217i64, 3938076i64, 275665330i64, 25361210372i64] }
-- input { 0i64 } output { empty([0]i64) }
entry numbers (n: i64) : [n]i64 = map weighted (iota n)

-- Arrays whose size is known when they are there, and that frames keep.
-- ==
-- entry: digits
-- input { 40i64 } output { [0i64, 11i64, 12i64, 22i64, 13i64, 23i64, 23i64, 33i64, 14i64, 24i64, 24i64, 34i64, 24i64, 34i64, 34i64, 44i64, 15i64, 25i64, 25i64, 35i64, 25i64, 35i64, 35i64, 45i64, 25i64, 35i64, 35i64, 45i64, 35i64, 45i64, 45i64, 55i64, 16i64, 26i64, 26i64, 36i64, 26i64, 36i64, 36i64, 46i64] }
def binary (n: i64) : []i64 = if n == 0 then [] else binary (n / 2) ++ [n % 2]

entry digits (n: i64) : [n]i64 =
  map (\i -> let ds = binary i in i64.sum ds * 10 + length ds) (iota n)

-- A power of a matrix.
-- ==
-- entry: powers
-- input { 20i64 } output { [0i64, 1i64, 1i64, 2i64, 3i64, 5i64, 8i64, 13i64, 21i64, 34i64, 55i64, 89i64, 144i64, 233i64, 377i64, 610i64, 987i64, 1597i64, 2584i64, 4181i64] }
def product (a: [2][2]i64) (b: [2][2]i64) : [2][2]i64 =
  tabulate_2d 2 2 (\i j -> a[i, 0] * b[0, j] + a[i, 1] * b[1, j])

def power (a: [2][2]i64) (n: i64) : [2][2]i64 =
  if n == 0
  then [[1, 0], [0, 1]]
  else if n % 2 == 0
  then let half = power a (n / 2) in product half half
  else product a (power a (n - 1))

entry powers (n: i64) : [n]i64 =
  map (\i -> (power [[1, 1], [1, 0]] i)[0, 1]) (iota n)

-- The k-th smallest element of a row.
-- ==
-- entry: selected
-- input { 12i64 } output { [0i64, 7i64, 14i64, 16i64, 18i64, 12i64, 14i64, 13i64, 15i64, 14i64, 14i64, 13i64] }
def select [n] (xs: [n]i64) (k: i64) : i64 =
  let p = xs[n / 2]
  let below = filter (< p) xs
  let same = length (filter (== p) xs)
  in if k < length below
     then select below k
     else if k < length below + same
     then p
     else select (filter (> p) xs) (k - length below - same)

entry selected (n: i64) : [n]i64 =
  map (\i -> select (map (\j -> (i * 7 + j * 13) % 31) (iota (i + 1))) (i / 2))
      (iota n)
