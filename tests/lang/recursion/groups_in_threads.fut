-- Functions that call each other, called for each element.

-- ==
-- entry: parities
-- input { 9i64 } output { [(true, false), (false, true), (true, false), (false, true), (true, false), (false, true), (true, false), (false, true), (true, false)] }
def even (n: i64) : bool = if n == 0 then true else odd (n - 1)
with def odd (n: i64) : bool = if n == 0 then false else even (n - 1)

entry parities (n: i64) : [n](bool, bool) = tabulate n (\i -> (even i, odd i))

-- Hofstadter's sequences: the calls are not the last deed, and both functions are called from outside.
-- ==
-- entry: sequences
-- input { 20i64 } output { [1i64, 1i64, 2i64, 2i64, 3i64, 3i64, 4i64, 5i64, 5i64, 6i64, 6i64, 7i64, 8i64, 8i64, 9i64, 9i64, 10i64, 11i64, 11i64, 12i64] [0i64, 0i64, 1i64, 2i64, 2i64, 3i64, 4i64, 4i64, 5i64, 6i64, 6i64, 7i64, 7i64, 8i64, 9i64, 9i64, 10i64, 11i64, 11i64, 12i64] }
def female (n: i64) : i64 = if n == 0 then 1 else n - male (female (n - 1))
with def male (n: i64) : i64 = if n == 0 then 0 else n - female (male (n - 1))

entry sequences (n: i64) : ([n]i64, [n]i64) =
  unzip (tabulate n (\i -> (female i, male i)))

-- Different parameters, and results of different types: a grammar of sums, products and brackets over the digits of a number.
-- ==
-- entry: expressions
-- input { [12345i64, 9080706i64, 777i64, 5i64, 31415926i64] } output { [9i64, 21i64, 49i64, 5i64, 18i64] [0i64, 0i64, 0i64, 0i64, 31415i64] }
def sum (digits: i64) (depth: i32) : (i64, i64) =
  let (value, rest) = product digits 1 depth
  in if rest > 0 && rest % 10 < 5
     then let (other, rest) = sum (rest / 10) depth in (value + other, rest)
     else (value, rest)
with def product (digits: i64) (factor: i64) (depth: i32) : (i64, i64) =
  let value = factor * atom digits depth
  let rest = digits / 10
  in if rest % 10 == 7 then product (rest / 10) value depth else (value, rest)
with def atom (digits: i64) (depth: i32) : i64 =
  if digits % 10 == 9 && depth < 5
  then (sum (digits / 10) (depth + 1)).0
  else digits % 10

entry expressions [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  unzip (map (\x -> sum x 0) xs)

-- An array that all of them hand on, under other names.
-- ==
-- entry: handed_on
-- input { [5i64, 3i64, 8i64, 1i64, 9i64, 2i64] } output { [5i64, -5i64, -4i64, 5i64, 6i64, -4i64] }
def up [n] (xs: [n]i64) (at: i64) (k: i64) : i64 =
  if k == 0 then xs[at] else xs[at] + down k ((at + k) % n) xs
with def down [m] (k: i64) (at: i64) (ys: [m]i64) : i64 =
  if k == 1 then 0 - ys[at] else up ys ((at + 1) % m) (k - 1) - ys[at]

entry handed_on [n] (xs: [n]i64) : [n]i64 = map (\i -> up xs i i) (iota n)

-- How deep they go follows from the text, by parameters in different places, so that their stack has no more frames.
-- ==
-- entry: bounded
-- input { 12i64 } output { [0, 3, 4, 11, 14, 29, 36, 0, 3, 4, 11, 14] }
def climb (n: i64) (x: i32) : i32 =
  if n == 0 then x else fall (x + 1) (n - 1) * 2 - x
with def fall (x: i32) (n: i64) : i32 =
  if n == 0 then x else climb (n - 1) (x - 3) + x

entry bounded (n: i64) : [n]i32 =
  tabulate n (\i -> climb (i % 7) (i32.i64 (i % 7)))
