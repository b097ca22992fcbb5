type^ shape = {area: f32 -> f32, name: i32}

type^ action = #keep | #change (f32 -> f32)

def square : shape = {area = \x -> x * x, name = 1}

def act (a: action) (x: f32) : f32 =
  match a
  case #keep -> x
  case #change f -> f x

def both (x: f32) : f32 = square.area (act (#change (+ 1)) x)
