type rec list 'a = #nil | #cons a (list a)

def size 'a (xs: list a) : i64 =
  match xs
  case #nil -> 0
  case #cons _ rest -> 1 + size rest

def push 'a (x: a) (xs: list a) : list a = #cons x xs

def three : list i32 = push 1 (push 2 (push 3 #nil))
