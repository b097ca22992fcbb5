-- ==
-- input { } output { 10i32 }

type rec rose = #rose i32 ([]rose)

def sum (t: rose) : i32 =
  match t
  case #rose x ts -> x + i32.sum (map sum ts)

entry main : i32 = sum (#rose 1 [#rose 2 [], #rose 3 [#rose 4 []]])
