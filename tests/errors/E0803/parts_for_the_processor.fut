-- A loop between operators, a recursive function, and a whole function.

def last_of (n: i64) (xs: [n]i64) : i64 = loop last = 0 for x in xs do (last * 31 + x) % 1000

def steps (n: i64) (xs: []i64) : i64 = if n <= 1 then xs[0] else 1 + steps (if n % 2 == 0 then n / 2 else 3 * n + 1) xs

entry main (n: i64) : []i64 =
  let xs = map (\i -> i * i % 1000) (iota n)
  let last = last_of n xs
  in map (\x -> steps (x + 1) [x]) (map (+ last) xs)

entry whole [n] (xs: *[n]i64) : [n]i64 = loop xs for i < n - 1 do xs with [i + 1] = xs[i + 1] ^ xs[i]
