def f (xs: []i32) =
  let none: [][]i32 = []
  let some = filter (> 0) xs
  in none ++ [some]
