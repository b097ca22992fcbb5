-- Trees that one map makes and another uses are in one region, to which all threads add cells. Nobody knows before how many there will be: a kernel that finds no
-- room is run again, with a region that is larger. What it has changed in place is as it was then.
-- ==
-- entry: lists
-- input { 5i64 3i64 } output { 45i64 9i64 }
-- compiled input { 300i64 2000i64 } output { 90300000i64 11476i64 }

type rec list = #nil | #cons i64 list

def repeat (n: i64) (x: i64) : list = loop l = #nil for _i < n do #cons x l

def sum (l: list) : i64 =
  (loop (l, s) = (l, 0i64)
   while (match l case #nil -> false case #cons _ _ -> true) do
     match l
     case #nil -> (l, s)
     case #cons x rest -> (rest, s + x)).1

def head (l: list) : i64 = match l case #nil -> 0 case #cons x _ -> x

entry lists (n: i64) (k: i64) : (i64, i64) =
  let ls = map (\i -> repeat k (i + 1)) (iota n)
  in ( i64.sum (map sum ls)
     , i64.sum (map head (map (repeat 1 <-< head) ls[:n - n / 2]))
       + head ls[n / 2] * i64.bool (n > 1)
     )

-- Closures that capture others of their kind, by a loop: values of a recursive type that nobody has declared.
-- ==
-- entry: closures
-- input { 4i64 2i64 } output { [2i64, 4i64, 6i64, 8i64] }
-- compiled input { 4i64 1000i64 } output { [1000i64, 1002i64, 1004i64, 1006i64] }
entry closures (n: i64) (k: i64) : [n]i64 =
  let nested (i: i64) : i64 -> i64 =
    loop f = \x -> x + i for j < k do
      if j % 2 == 0 then \x -> f x + 1 else \x -> 1 + f x
  let fs = map nested (iota n)
  in map2 (\f x -> f x) fs (iota n)
