-- All arrays take each step together: quicksort as flattening makes it.
-- ==
-- input { [2i64, 0i64, 3i64] } output { [0i64, 0i64, 0i64] }

def sort_all [n] (xss: [n][?]i32) : [n][?]i32 =
  if all (\xs -> length xs < 2) xss
  then xss
  else
    let pivots = map (\xs -> if null xs then 0 else xs[length xs / 2]) xss
    let less = map2 (\p xs -> filter (< p) xs) pivots xss
    let equal = map2 (\p xs -> filter (== p) xs) pivots xss
    let greater = map2 (\p xs -> filter (> p) xs) pivots xss
    let sorted = sort_all (less ++ greater)
    in map3 (\l e g -> l ++ e ++ g)
            (take n sorted)
            equal
            (drop n sorted :> [n][?]i32)

entry main [n] (is: [n]i64) : [n]i64 =
  let xss = map (\i -> map i32.i64 (reverse (iota i))) is
  in map (\xs -> if null xs then 0 else i64.i32 xs[0]) (sort_all xss)
