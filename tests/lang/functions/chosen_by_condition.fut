def pick (b: bool) : i32 -> i32 = if b then \x -> x + 1 else \x -> x * 2

def twice (f: i32 -> i32) : i32 -> i32 = \x -> f (f x)

-- ==
-- entry: f
-- input { true 1 } output { 9 }
-- input { false 3 } output { 768 }
entry f (b: bool) (x: i32) : i32 =
  let g = loop g = pick b for _i < 3i32 do twice g
  in g x
