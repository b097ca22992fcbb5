type rec list 'a = #nil | #cons a (list a)

def push 'a (x: a) (xs: list a) : list a = #cons x xs

def top 'a (default: a) (xs: list a) : a =
  match xs
  case #nil -> default
  case #cons x _ -> x

def rows (xs: list ([?]i64)) : list ([?]i64) = push [1, 2] (push [3] xs)

def sum_of_first (xs: list ([?]i64)) : i64 = i64.sum (top [1] xs)
