-- Sums are written as in programs; a payload that has a payload or a sign is in parentheses.
-- ==
-- entry: successor
-- input { #some 3 }
-- output { #some 4 }
-- input { #some (-1) }
-- output { #some 0 }
-- input { #none }
-- output { #none }
-- input { (#none) }
-- output { #none }

-- ==
-- entry: compact
-- input { [#some 3, #none, #some (-5)] }
-- output { [3, -5] }

-- ==
-- entry: nest
-- input { #left (#some 1) [1.5, 2.5] }
-- output { #right {value = #some 1, sum = 4.0} }
-- input { #right {sum = 2.0, value = #none} }
-- output { #left #none [2] }

-- ==
-- entry: shapes
-- input { [#circle 1.5, #polygon [(0, 0), (1, 0), (0, 1)], #nothing] }
-- output { [#nothing, #polygon [(0, 0), (1, 0), (0, 1)], #circle 1.5] }
type option = #none | #some i32

type~ either = #left option ([]f64) | #right {value: option, sum: f64}

entry successor (x: option) : option =
  match x case #some x -> #some (x + 1) case #none -> #none

entry compact [n] (xs: [n]option) : []i32 =
  xs
  |> filter (\x -> match x case #some _ -> true case #none -> false)
  |> map (\x -> match x case #some x -> x case #none -> 0)

entry nest (x: either) : either =
  match x
  case #left value xs -> #right {value, sum = f64.sum xs}
  case #right {value, sum} -> #left value [sum]

entry shapes [n]
             (xs: [n](#circle f32 | #polygon ([?](f32, f32)) | #nothing))
    : [n](#circle f32 | #polygon ([?](f32, f32)) | #nothing) =
  reverse xs
