-- A list that the host has built is sent to a device once, however many kernels read it, and so is what the host adds to it.
-- ==
-- entry: read_often
-- input { 1000i64 1i64 } output { 499500i64 }
-- input { 1000i64 20i64 } output { 9990000i64 }
-- structure run { sent 16088 }

-- ==
-- entry: added_to
-- input { 1000i64 20i64 } output { 10181140i64 }

type rec list = #nil | #cons i64 list

def sum (l: list) (k: i64) : i64 =
  let (_, s) =
    loop (l, s) = (l, 0)
    while s >= 0 && (match l case #nil -> false case #cons _ _ -> true) do
      match l
      case #nil -> (l, s)
      case #cons x rest -> (rest, s + x * k)
  in s

def upto (n: i64) : list = loop l: list = #nil for i < n do #cons i l

entry read_often (n: i64) (steps: i64) : i64 =
  let l = upto n
  in loop s = 0 for j < steps do
       s + i64.sum (map (\i -> sum l (i + j - j)) (iota 2))

entry added_to (n: i64) (steps: i64) : i64 =
  let (_, s) =
    loop (l, s) = (upto n, 0) for j < steps do
      (#cons (1000 + j) l, s + i64.sum (map (sum l) (iota 2)))
  in s
