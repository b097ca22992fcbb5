-- Recursion that each thread does for itself, with a stack of its own: Ackermann's function, whose calls are arguments of calls, and functions that call each other a hundred levels deep.
-- ==
-- nobench input { 6i64 } output { [153i64, 156i64, 159i64, 159i64, 162i64, 165i64] }
-- nobench input { 50i64 } auto output
-- nobench compiled input { 3000i64 } auto output
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- "20000" notest input { 20000i64 } auto output
-- "200000" notest input { 200000i64 } auto output

def ackermann (m: i64) (n: i64) : i64 =
  if m == 0
  then n + 1
  else if n == 0
  then ackermann (m - 1) 1
  else ackermann (m - 1) (ackermann m (n - 1))

-- | Calls that come last are jumps.
def is_even (n: i64) : bool = if n == 0 then true else is_odd (n - 1)
with def is_odd (n: i64) : bool = if n == 0 then false else is_even (n - 1)

-- | Calls that something follows need a stack.
def up (n: i64) : i64 = if n == 0 then 0 else 1 + down (n - 1)
with def down (n: i64) : i64 = if n == 0 then 0 else 2 + up (n - 1)

entry main (n: i64) : [n]i64 =
  tabulate n (\i ->
    let deep = if is_even 100 then up 100 + i % 3 else 0
    in ackermann 2 (i % 24) + deep)
