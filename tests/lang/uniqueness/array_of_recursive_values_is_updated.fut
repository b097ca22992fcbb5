-- ==
-- input { [1, 2] } output { 9 2 }

type rec list = #nil | #cons i32 list

def head_or (d: i32) (l: list) : i32 =
  match l
  case #nil -> d
  case #cons x _ -> x

def main (xs: [2]i32) : (i32, i32) =
  let ls = map (\x -> #cons x #nil : list) xs
  let ls[0] = #cons 9 ls[1]
  in (head_or 0 ls[0], head_or 0 ls[1])
