type t1 [n] = ([n]i64, [n]i64, [n]i64, [n]i64)
type t2 [n] = (t1 [n], t1 [n], t1 [n], t1 [n])
type t3 [n] = (t2 [n], t2 [n], t2 [n], t2 [n])
type t4 [n] = (t3 [n], t3 [n], t3 [n], t3 [n])
type t5 [n] = (t4 [n], t4 [n], t4 [n], t4 [n])
type t6 [n] = (t5 [n], t5 [n], t5 [n], t5 [n])
type t7 [n] = (t6 [n], t6 [n], t6 [n], t6 [n])
type t8 [n] = (t7 [n], t7 [n], t7 [n], t7 [n])
type t9 [n] = (t8 [n], t8 [n], t8 [n], t8 [n])

def f [n] (_: t9 [n]) : i64 = n

entry main : i64 = 2
