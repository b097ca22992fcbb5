-- A filter keeps rows of one length, as what functions capture, of which others capture rows of any length.
-- ==
-- input { [[1, 2], [3, 4], [5, 6]] [1, 2, 3] 2 } output { [3, 5, 1] }
-- input { [[1], [2]] [1, 0] 9 } output { [8, 9] }
type^ choice = #one (i32 -> i32) | #with i32 ([]i32) (i32 -> i32)

def first [k] (xs: [k]i32) : i32 = if k > 0 then xs[0] else 5

def chosen (c: choice) : i32 -> i32 =
  match c
  case #one f -> f
  case #with _ ys _ -> \_ -> first ys

entry main [n] [m] (xss: [n][m]i32) (us: [n]i32) (s: i32) : [n]i32 =
  let fs = map (\xs -> chosen (#with 1 xs (\_ -> 0))) xss
  let gs = filter (\f -> f 3 > s) fs
  let hs =
    map (\i -> if i < length gs then gs[i] else \y -> y ^ s) (iota n)
  in map2 (\h u -> h u) hs us
