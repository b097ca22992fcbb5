-- Updates of an array in a loop are done in place: n of them cost O(n), since nothing is copied in the loop.
-- ==
-- entry: squares
-- input { 5i64 } output { [0i64, 1i64, 5i64, 14i64, 30i64] }
-- structure nest { copy 1 loop/copy 0 loop/update 2 loop/if/update 1 loop/loop/update 0 loop/if/loop/update 1 }
entry squares (n: i64) : [n]i64 =
  loop xs = replicate n 0
  for i < n do
    let before = if i > 0 then xs[i - 1] else 0
    in xs with [i] = before + i * i

-- ==
-- entry: sieve
-- input { 12i64 } output { [false, false, true, true, false, true, false, true, false, false, false, true] }
entry sieve (n: i64) : [n]bool =
  loop prime = tabulate n (>= 2)
  for i in 2..<n do
    if prime[i]
    then loop prime
         for k < (n - 1) / i - 1 do
           prime with [(k + 2) * i] = false
    else prime

-- The argument belongs to the caller, so it is copied once; the array that is made here is not.
-- ==
-- entry: after_a_copy
-- input { [3i64, 1i64, 2i64] } output { [3i64, 4i64, 6i64] }
entry after_a_copy [n] (xs: [n]i64) : [n]i64 =
  let ys = map (+ 1) (copy xs)
  in loop sums = map (+ -1) (copy ys)
     for i < n do
       if i > 0 then sums with [i] = sums[i] + sums[i - 1] else sums
