type rec list 'a = #nil | #cons a (list a)

def push 'a (x: a) (xs: list a) : list a = #cons x xs

def top 'a (default: a) (xs: list a) : a =
  match xs
  case #nil -> default
  case #cons x _ -> x

def rows (xs: list ([?]i64)) : list ([?]i64) = push [1, 2] (push [3] xs)

def sum_of_first (xs: list ([?]i64)) : i64 = i64.sum (top [1] xs)

-- ==
-- entry: empty
-- input { } output { 1i64 }
entry empty : i64 = sum_of_first #nil

-- ==
-- entry: first_of_two
-- input { } output { 3i64 }
entry first_of_two : i64 = sum_of_first (rows #nil)

def sizes (xs: list ([?]i64)) : i64 =
  match xs
  case #nil -> 0
  case #cons x rest -> length x + 10 * sizes rest

-- ==
-- entry: sizes_of_three
-- input { [7i64, 8i64, 9i64] } output { 312i64 }
-- input { empty([0]i64) } output { 12i64 }
entry sizes_of_three [n] (xs: [n]i64) : i64 =
  let none: list ([?]i64) = #nil
  in sizes (rows (push xs none))
