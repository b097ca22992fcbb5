def add (a: i32) (b: i32) (c: i32) : i32 = a + b + c

def f [n] (xs: [n]i32) : [n]i32 =
  xs |> map (add 1 2) |> map (+ 1) |> map (2 -) |> map (3 `add` 4)

def g [n] (ps: [n]{x: i32, y: (i32, bool)}) : [n]bool = map (.y.1) ps

def h [n] (xss: [n][4]i32) : [n]i32 = map (.[2]) xss
