-- ==
-- input { [1i64, 2i64, 3i64] } output { [2i64, 3i64, 4i64] }

type rec list 'a = #nil | #cons a (list a)

def from_array [n] 'a (xs: [n]a) : list a =
  loop list = #nil : list a for i < n do #cons xs[n - 1 - i] list

def to_array 'a (xs: list a) : []a =
  match xs
  case #nil -> []
  case #cons x rest -> [x] ++ to_array rest

def map_list 'a 'b (f: a -> b) (xs: list a) : list b =
  match xs
  case #nil -> #nil
  case #cons x rest -> #cons (f x) (map_list f rest)

entry main [n] (xs: [n]i64) : []i64 = to_array (map_list (+ 1) (from_array xs))
