def f (x,y) {a,b=c,d:i32} _ ((z:i32)) (#[attr] w) = x
def g (_:i32) ((+++): i32) = 1
def literals x = match x case 1 -> 1 case -1 -> 2 case 'a' -> 3 case true -> 4 case -1.5f32 -> 5 case #none -> 6 case #some (#other _) -> 7
def long_pattern ({first_field = a, second_field = b, third_field = c}: some_record_type) = a
def lets x =
  let (a, b): (i32, i32) = x
  let {c, d = (e, _)} = x
  let ( f
      , g) = x
  in a
