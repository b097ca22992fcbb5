type rec list 'a = #nil | #cons a (list a)

def size 'a (xs: list a) : i64 =
  match xs
  case #nil -> 0
  case #cons _ rest -> 1 + size rest

def push 'a (x: a) (xs: list a) : list a = #cons x xs

def three : list i32 = push 1 (push 2 (push 3 #nil))

-- ==
-- entry: size_of_three
-- input { } output { 3i64 }
entry size_of_three : i64 = size three

-- ==
-- entry: sizes_at_two_types
-- input { 5i64 } output { 5i64 10i64 }
-- input { 0i64 } output { 0i64 0i64 }
entry sizes_at_two_types (n: i64) : (i64, i64) =
  let numbers = loop l = #nil for i < n do push i l
  let truths = loop l = #nil for i < n do push (i > 3) (push true l)
  in (size numbers, size truths)
