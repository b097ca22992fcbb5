def times (n: i64) (f: i32 -> i32) (x: i32) : i32 =
  if n == 0 then x else times (n - 1) f (f x)

def compose (n: i64) (f: i32 -> i32) : i32 -> i32 =
  if n == 0 then \x -> x else \x -> f (compose (n - 1) f x)
