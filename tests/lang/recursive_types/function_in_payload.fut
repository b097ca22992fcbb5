-- ==
-- input { 5i64 } output { 10i64 }

type rec stream = #cons i64 (i64 -> stream)

def from (n: i64) : stream = #cons n (\step -> from (n + step))

def nth (i: i64) (s: stream) : i64 =
  match s
  case #cons x next -> if i == 0 then x else nth (i - 1) (next 2)

entry main (i: i64) : i64 = nth i (from 0)
