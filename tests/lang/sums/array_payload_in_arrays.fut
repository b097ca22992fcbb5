-- Payloads that are arrays, in arrays: each constructor's payload has its own size.
-- ==
-- input { 3i64 2i64 } output { [3i64, 3i64, 3i64] [0i64, 1i64, 0i64] [-1i64, 0i64] }

type shape [n] = #dots ([n]i64) | #none

def size [n] (s: shape [n]) : i64 =
  match s
  case #dots xs -> length xs
  case #none -> -1

entry main (n: i64) (m: i64) =
  let same: [m + 1](shape [n]) = replicate (m + 1) (#dots (iota n))
  let mixed: [n](shape [1]) =
    map (\i -> if i % 2 == 0 then #none else #dots [i]) (iota n)
  let sizes =
    map (\s ->
      match s
      case #dots xs -> i64.sum xs
      case #none -> 0) mixed
  let pair: [2](#few ([]i64) | #no) = [#no, #few []]
  in ( map size same
     , sizes
     , map (\s ->
       match s
       case #few xs -> length xs
       case #no -> -1) pair
     )
