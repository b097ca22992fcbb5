-- A function for the processor, which no operator calls, yields an array that is in a cell.
-- ==
-- input { 0i64 [4, 5] } output { [5, 6] 5 }
-- input { 2i64 [4, 5] } output { [5, 6] 1 }
type^ rec choice = #none | #one (i32 -> i32) | #with i32 ([]i32) (i32 -> i32)

def first [k] (xs: [k]i32) : i32 = if k > 0 then xs[0] else 5

def chosen (c: choice) : i32 -> i32 =
  match c
  case #none -> \_ -> 0
  case #one f -> f
  case #with _ ys _ -> \y -> y + first ys

def build [m] (d: i64) (xs: [m]i32) : i32 -> i32 =
  if d <= 0
  then chosen (if m > 9 then #one (\_ -> 0) else #with 1 xs (\y -> y))
  else let f = build (d - 1) xs in if f 0 > 3 then \y -> y + 2 else \y -> y

entry main [m] (d: i64) (xs: [m]i32) : ([m]i32, i32) =
  (map (+ 1) xs, build d xs 1)
