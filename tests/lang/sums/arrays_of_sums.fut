-- ==
-- input { [1, -2, 3] } output { 4 }

type signed = #plus i32 | #minus i32

def main (xs: []i32) : i32 =
  let parts = map (\x -> if x < 0 then #minus (-x) else #plus x : signed) xs
  in i32.sum (map (\p ->
    match p
    case #plus x -> x
    case #minus _ -> 0) parts)
