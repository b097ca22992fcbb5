-- Functions that call themselves last of all: loops when compiled, also in kernels.

-- One call.
-- ==
-- entry: divisors
-- input { [12, 18, 7, 0, 100] [18, 12, 0, 0, 75] } output { [6i32, 6i32, 7i32, 0i32, 25i32] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }
def gcd (a: i32) (b: i32) : i32 = if b == 0 then a else gcd b (a % b)

entry divisors [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 gcd xs ys

-- Calls in several branches.
-- ==
-- entry: steps
-- input { 20i64 } output { [0i64, 1i64, 7i64, 2i64, 5i64, 8i64, 16i64, 3i64, 19i64, 6i64, 14i64, 9i64, 9i64, 17i64, 17i64, 4i64, 12i64, 20i64, 20i64, 7i64] }
def collatz (n: i64) (k: i64) : i64 =
  if n == 1
  then k
  else if n % 2 == 0
  then collatz (n / 2) (k + 1)
  else collatz (3 * n + 1) (k + 1)

entry steps (n: i64) : [n]i64 = tabulate n (\i -> collatz (i + 1) 0)

-- By constructors, one of which ends.
-- ==
-- entry: machine
-- input { 7i64 } output { [0i64, 20i64, 60i64, 70i64, 110i64, 150i64, 160i64] }
type state = #up i64 | #down i64 | #halt i64

def run (s: state) (fuel: i64) : i64 =
  match s
  case #up n ->
    if fuel == 0
    then n
    else run (if n % 3 == 2 then #down (n * 2) else #up (n + 1)) (fuel - 1)
  case #down n -> run (if n < 4 then #halt (n + fuel) else #down (n - 3)) fuel
  case #halt n -> n * 10

entry machine (n: i64) : [n]i64 = tabulate n (\i -> run (#up i) (i * 3))

-- An array whose size changes, and which is the result.
-- ==
-- entry: halved
-- input { [9, 3, 4, 7, 1, 8, 5, 3] } output { [5i32, 3i32] }
-- input { [2, 2] } output { [2i32, 2i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
def halve (xs: []i32) : []i32 =
  if length xs <= 2
  then xs
  else halve (filter (\x -> x % 2 == xs[0] % 2) xs[1:])

entry halved [n] (xs: [n]i32) : []i32 = halve xs

-- What decides is work itself.
-- ==
-- entry: ranked
-- input { [9, 3, 4, 7, 1, 8, 5, 3] } output { [1i32, 3i32, 3i32, 4i32, 5i32, 7i32, 8i32, 9i32] }
-- input { [2] } output { [2i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
def kth (xs: []i32) (k: i64) : i32 =
  let pivot = xs[length xs / 2]
  let less = filter (< pivot) xs
  in if k < length less
     then kth less k
     else let greater = filter (> pivot) xs
          let first = length xs - length greater
          in if k >= first then kth greater (k - first) else pivot

entry ranked [n] (xs: [n]i32) : [n]i32 = tabulate n (kth xs)

-- Rows of different lengths, each as often as it needs.
-- ==
-- entry: medians
-- input { [3i64, 0i64, 1i64, 5i64, 2i64] [5, 1, 3, 4, 9, 8, 7, 6, 5, 2, 1] } output { [3i32, -1i32, 4i32, 7i32, 2i32] }
entry medians [n] [m] (lens: [n]i64) (xs: [m]i32) : [n]i32 =
  map (\row -> if null row then -1 else kth row (length row / 2))
      (segment lens xs)

-- A search in an array that stays what it is.
-- ==
-- entry: found
-- input { [1, 3, 3, 7, 9] [0, 1, 3, 8, 10] } output { [0i64, 0i64, 1i64, 4i64, 5i64] }
def search [n] (xs: [n]i32) (x: i32) (low: i64) (high: i64) : i64 =
  if low >= high
  then low
  else let middle = (low + high) / 2
       in if xs[middle] < x
          then search xs x (middle + 1) high
          else search xs x low middle

entry found [n] [m] (xs: [n]i32) (wanted: [m]i32) : [m]i64 =
  map (\x -> search xs x 0 n) wanted

-- Two functions that call each other.
-- ==
-- entry: parity
-- input { 9i64 } output { [true, false, true, false, true, false, true, false, true] }
def even (n: i64) : bool = if n == 0 then true else odd (n - 1)
with def odd (n: i64) : bool = if n == 0 then false else even (n - 1)

entry parity (n: i64) : [n]bool = tabulate n even
