type^ shape = {area: f32 -> f32, name: i32}

type^ action = #keep | #change (f32 -> f32)

def square : shape = {area = \x -> x * x, name = 1}

def act (a: action) (x: f32) : f32 =
  match a
  case #keep -> x
  case #change f -> f x

-- ==
-- entry: both
-- input { 2f32 } output { 9f32 }
-- input { -1f32 } output { 0f32 }
entry both (x: f32) : f32 = square.area (act (#change (+ 1)) x)

-- ==
-- entry: kept
-- input { 2f32 } output { 2f32 1 }
entry kept (x: f32) : (f32, i32) = (act #keep x, square.name)
