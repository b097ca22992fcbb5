-- Updates of an array in a loop are done in place: no copies, so n of them cost O(n).
-- ==
-- entry: squares
-- input { 5i64 } output { [0i64, 1i64, 5i64, 14i64, 30i64] }
-- ==
-- entry: sieve
-- input { 12i64 } output { [false, false, true, true, false, true, false, true, false, false, false, true] }
-- ==
-- entry: after_a_copy
-- input { [3i64, 1i64, 2i64] } output { [3i64, 4i64, 6i64] }
-- structure nest { copy 1 loop/copy 0 loop/update 3 loop/map 0 check 2 }
entry squares (n: i64) : [n]i64 =
  loop xs = replicate n 0
  for i < n do
    let before = if i > 0 then xs[i - 1] else 0
    in xs with [i] = before + i * i

entry sieve (n: i64) : [n]bool =
  loop prime = tabulate n (>= 2)
  for i in 2...n - 1 do
    if prime[i]
    then loop prime
         for j in i * i..i * i + i...n - 1 do
           prime with [j] = false
    else prime

-- The argument belongs to the caller, so it is copied once.
entry after_a_copy [n] (xs: [n]i64) : [n]i64 =
  loop sums = copy xs
  for i < n do
    if i > 0 then sums with [i] = sums[i] + sums[i - 1] else sums
