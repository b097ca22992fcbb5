-- The same with arrays, whose sizes are found in each of them.
-- growth: 8 16 32
-- refused from 16: E0802
type t0 [n] = [n]i64
-- repeat
type t{i} [n] = (t{i-1} [n], t{i-1} [n])
-- end
def f [n] (_: t{n} [n]) : i64 = n
entry main : i64 = 2
