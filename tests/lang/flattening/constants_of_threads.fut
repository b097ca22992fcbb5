-- Threads use constants that may fail when they are computed, in loops and in functions that they call, which may call themselves.
-- ==
-- entry: in_a_loop
-- input { 5i64 } auto output
-- input { 0i64 } auto output

-- ==
-- entry: in_functions
-- input { 5i64 3i64 } auto output
-- input { 0i64 3i64 } auto output

-- ==
-- entry: in_recursion
-- input { 9i64 } auto output

-- ==
-- entry: unused
-- input { 0i64 } output { 0i64 }
def primes : [20]i64 =
  let is_prime p = all (\d -> d < 2 || d >= p || p % d != 0) (iota 10)
  in take 20 (filter (\p -> p >= 2 && is_prime p) (iota 80))

def table : [5]i64 =
  loop t = replicate 5 1 for i in 2..<5i64 do
    let v = t[i - 1] + primes[i] * t[i - 2]
    in t with [i] = v

def weight (x: i64) : i64 =
  let found =
    loop (i, s) = (0, x) while i < 5 && s > 0 do (i + 1, s - table[i] % 7)
  in found.0 * primes[i64.abs x % 20]

def score (x: i64) : i64 =
  reduce (+)
         0
         (map (\p ->
                 if weight (x + p) % 2 == 0
                 then weight (p * x)
                 else table[p % 5])
              primes)

def count (x: i64) : i64 =
  if x <= 1 then table[0] else primes[x % 20] + count (x / 2) + weight (x - 1)

entry in_a_loop (n: i64) : [n]i64 =
  tabulate n (\i -> loop a = i for j < 20i64 do a * 3 % 1009 + primes[j])

entry in_functions (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> score (i - j) + weight (i * j))

entry in_recursion (n: i64) : [n]i64 = tabulate n (\i -> count (i * i))

entry unused (n: i64) : i64 = i64.sum (tabulate n (\i -> primes[i % 20]))
