-- At the head.

def f -- after the name
    (x: i32) -- after a parameter
    : i32 =
  -- before the body
  x
  + -- in an expression
    1

-- At the end.
