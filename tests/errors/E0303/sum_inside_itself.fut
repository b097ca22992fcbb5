-- A sum that contains itself needs a recursive type to be a value of.
def f (n: i64) =
  let l = loop l = #nil for i < n do #cons i l
  in match l case #nil -> true case #cons _ _ -> false
