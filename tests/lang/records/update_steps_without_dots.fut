def f (r: {a: {b: i32}}) = r with a.b = 1

def g (r: {a: {b: i32}}) = r with a.b = 1

def h (r: *[3]{b: [2]i32}) = r with [0].b[1] = 1

-- ==
-- entry: fields
-- input { 7 } output { 1 1 }
entry fields (x: i32) : (i32, i32) =
  ((f {a = {b = x}}).a.b, (g {a = {b = x}}).a.b)

-- ==
-- entry: elements
-- input { 7 } output { [[7, 1], [7, 7], [7, 7]] }
entry elements (x: i32) : [3][2]i32 = map (.b) (h (replicate 3 {b = [x, x]}))
