-- The type of the accumulator is known only from the result.
-- ==
-- input { 3i64 } output { 3i64 }

type rec list 'a = #nil | #cons a (list a)

def upto (n: i64) : list i64 = loop l = #nil for i < n do #cons i l

def size 'a (l: list a) : i64 =
  match l
  case #nil -> 0
  case #cons _ rest -> 1 + size rest

def main (n: i64) = size (upto n)
