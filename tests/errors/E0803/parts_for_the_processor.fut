-- A recursive function that goes through a list and yields a matrix both of whose sizes only it knows, and a loop whose steps wait twice. Loops over elements, and recursion in a map, are no error.

type rec numbers = #none | #some i64 numbers

def last_of (n: i64) (xs: [n]i64) : i64 = loop last = 0 for x in xs do (last * 31 + x) % 1000

def steps (n: i64) (xs: []i64) : i64 = if n <= 1 then xs[0] else 1 + steps (if n % 2 == 0 then n / 2 else 3 * n + 1) xs

entry main (n: i64) : []i64 =
  let xs = map (\i -> i * i % 1000) (iota n)
  let last = last_of n xs
  in map (\x -> steps (x + 1) [x]) (map (+ last) xs)

def build (k: i64) : numbers = if k <= 0 then #none else #some k (build (k - 1))

def fold 'a (f: a -> i64 -> a) (z: a) (l: numbers) : a =
  match l
  case #none -> z
  case #some x rest -> f (fold f z rest) x

entry whole [n] (k: i64) (xss: [n][1]i64) : [1]i64 =
  reduce (map2 i64.max) [0] (fold (\acc _ -> copy acc) xss (build k))

entry twice [n] (xs: [n]i64) : i64 =
  (loop (xs, steps) = (xs, 0) while i64.sum xs > 0 do
     let ys = map (/ 2) xs
     in (if i64.maximum ys > 100 then map (/ 3) ys else ys, steps + 1)).1
