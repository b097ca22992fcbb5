-- Composition, application and iteration of functions.

-- ==
-- entry: pipes
-- input { 3 } output { 8 8 8 8 }
entry pipes (x: i32) : (i32, i32, i32, i32) =
  let inc (y: i32) : i32 = y + 1
  let double (y: i32) : i32 = 2 * y
  in ( x |> inc |> double
     , double <| inc x
     , (inc >-> double) x
     , (double <-< inc) x
     )

-- A pipe may carry a size that only its left operand knows.
-- ==
-- entry: pipe_of_unknown_size
-- input { [1, -2, 3, -4] } output { 2i64 }
entry pipe_of_unknown_size (xs: []i32) : i64 =
  filter (> 0) xs |> length

-- ==
-- entry: arguments
-- input { 10 3 } output { 7 -7 7 7 10 3 }
entry arguments (x: i32) (y: i32) : (i32, i32, i32, i32, i32, i32) =
  let minus (a: i32) (b: i32) : i32 = a - b
  let minus_pair (a: i32, b: i32) : i32 = a - b
  in ( minus x y
     , flip minus x y
     , curry minus_pair x y
     , uncurry minus (x, y)
     , const x y
     , id y
     )

-- The combinators accept and return functions.
-- ==
-- entry: lifted
-- input { 5 } output { 12 }
entry lifted (x: i32) : i32 =
  let twice (f: i32 -> i32) : i32 -> i32 = f >-> f
  in (id twice <| (+ 3)) x |> const (x + 7)

-- ==
-- entry: repeated
-- input { 1 } output { 1024 1024 128 }
-- input { 200 } output { 204800 1600 200 }
entry repeated (x: i32) : (i32, i32, i32) =
  ( iterate 10 (* 2) x
  , iterate_until (>= 1000) (* 2) x
  , iterate_while (< 100) (* 2) x
  )

-- ==
-- entry: zero_or_fewer_times
-- input { 7 } output { 7 7 }
entry zero_or_fewer_times (x: i32) : (i32, i32) =
  (iterate 0 (+ 1) x, iterate (-3) (+ 1) x)
