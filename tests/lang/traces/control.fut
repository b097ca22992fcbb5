-- Traces in branches, loops and functions, inside of operators and outside.
-- ==
-- entry: collatz functions loops
-- input { 5i64 } auto output
-- input { 0i64 } auto output

def steps (n: i64) : i64 =
  (loop (x, k) = (n, 0) while (#[trace(cond)] x) != 1 do
     ((if x % 2 == 0 then #[trace(even)] (x / 2) else 3 * x + 1), k + 1)).1

entry collatz (n: i64) = (steps (n + 1), map steps (map (+ 1) (iota n)))

def factorial (n: i64) : i64 =
  if n <= 1 then #[trace(one)] 1 else #[trace(step)] (n * factorial (n - 1))

def halves [n] (xs: [n]i64) : i64 =
  if n <= 1
  then trace (i64.sum xs)
  else halves (take (n / 2) xs) + halves (drop (n / 2) xs)

def constant = #[trace(constant)] (iota 3)

entry functions (n: i64) =
  let outside = factorial n + halves (iota n) + constant[0]
  let inside = map (\i -> factorial i + halves (iota i)) (iota n)
  in (outside, inside, constant[1])

entry loops (n: i64) =
  let filled =
    loop xs = replicate n 0 for i < n do xs with [i] = #[trace(fill)] (i * i)
  let twice =
    let a = #[trace(same)] n
    let b = #[trace(same)] n
    in a + b
  let unused = map (\i -> let _ = #[trace(unused)] i in 0i64) (iota n)
  let shapes =
    map (\i ->
      match i % 3
      case 0 -> #[trace(none)] 0
      case 1 -> loop s = 0 for j < i do #[trace(sum)] (s + j)
      case _ -> i) (iota n)
  let function = #[trace(function)] (\x -> x + n)
  in (filled, twice, unused, shapes, function 1)
