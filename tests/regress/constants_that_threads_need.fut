-- Lookup tables that may fail when they are computed, or that large functions read which are called in several places. No thread
-- can compute them: the host does it before.
-- ==
-- entry: branch
-- input { [1i64, 5i64, 70i64, 3i64] } output { [0i64, 13i64, 31i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) }

-- ==
-- entry: calls
-- input { [1u32, 2u32, 3u32] } auto output

-- ==
-- entry: recursive
-- input { [1i64, 6i64, 11i64] } output { [3i64, 16i64, 24i64] }

-- `take` fails if there are too few.
def primes : [20]i64 =
  take 20
       (filter (\p ->
                  p > 1 && all (\d -> d < 2 || d >= p || p % d != 0) (iota 12))
               (iota 80))

entry branch [n] (xs: [n]i64) : [n]i64 =
  map (\x -> if x > 3 then primes[x % 20 % 16] else 0) xs

def salts : [4]u32 = map (\i -> u32.i64 (primes[i] * 1000003)) (iota 4)

#[noinline]
def mix (x: u32) : u32 =
  loop x for s in salts do (x ^ s) * 0x45d9f3b

#[noinline]
def mix_twice (x: u32) : u32 = mix (mix x + u32.i64 primes[7])

entry calls [n] (xs: [n]u32) : ([n]u32, u32) =
  (map mix_twice xs, reduce (^) 0 (map (\x -> mix (mix_twice x)) xs) + mix 1)

def halves (x: i64) : i64 =
  if x < 1 then 0 else primes[x % 5] + halves (x / 2) + halves (x / 5)

entry recursive [n] (xs: [n]i64) : [n]i64 = map halves xs
