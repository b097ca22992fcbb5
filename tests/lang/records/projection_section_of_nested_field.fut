-- ==
-- input { [1, 2] } output { [1, 2] }

def main (xs: []i32) : []i32 =
  let rs = map (\x -> {p = {q = x}}) xs
  in map (.p.q) rs
