-- Functions that call themselves in the functions of all operators.

def digits (n: i64) : i64 = if n < 10 then n else n % 10 + digits (n / 10)

def root (n: i64) : i64 =
  if n < 10 then n else let d = root (n / 10) in (d + n % 10) % 9

-- ==
-- entry: operators
-- input { 500i64 } output { [1i64, 5i64, 12i64, 13i64, 17i64] 8211i64 33539i64 [507i64, 665i64, 827i64] }
-- input { 0i64 } output { empty([0]i64) 0i64 0i64 [0i64, 0i64, 0i64] }
entry operators (n: i64) : ([]i64, i64, i64, [3]i64) =
  let kept = filter (\i -> digits i % 3 == 1) (iota n)
  let sums = scan (+) 0 (map root kept)
  let (a, b) = partition (\i -> digits i < 8) kept
  let bins =
    hist (+) 0 3 (map (\i -> digits i % 3) (iota n)) (map root (iota n))
  in (sums[:i64.min 5 (length sums)], i64.sum a, i64.sum b, bins)

-- The operator itself calls.
-- ==
-- entry: combined
-- input { 300i64 } output { 12i64 [12i64, 12i64, 12i64, 12i64] 12i64 }
def gcd (a: i64) (b: i64) : i64 =
  if b == 0 then a else let g = gcd b (a % b) in if g < 0 then -g else g

entry combined (n: i64) : (i64, [4]i64, i64) =
  let xs = map (\i -> (i * 37 % 101 + 1) * 12) (iota n)
  in (reduce gcd 0 xs, take 4 (scan gcd 0 xs), last (scan gcd 0 xs))

-- Rows, and loops over elements.
-- ==
-- entry: rows
-- input { 5i64 } output { [587i64, 1189i64, 2250i64, 1700i64, 2383i64] }
entry rows (n: i64) : [n]i64 =
  map (\i ->
    loop sum = 0 for j < 5 do
      sum * 3 + digits (i * 1234 + j * 77 + sum)) (iota n)
