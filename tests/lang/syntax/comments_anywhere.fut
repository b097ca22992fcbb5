-- At the head.

def f -- after the name
    (x: i32) -- after a parameter
    : i32 =
  -- before the body
  x
  + -- in an expression
    1

-- ==
-- entry: main
-- input { 1 } output { 2 }
entry main -- after the name
    (x: i32) = -- before the body
  f x -- after it

-- At the end.
