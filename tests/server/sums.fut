-- Sums, and what can only be handed back.

type shape = #circle f32 | #square f32 | #rectangle f32 f32 | #nothing

entry area (s: shape) : f32 =
  match s
  case #circle r -> f32.pi * r * r
  case #square a -> a * a
  case #rectangle a b -> a * b
  case #nothing -> 0

entry grow (s: shape) (by: f32) : shape =
  match s
  case #circle r -> #circle (r * by)
  case #square a -> #square (a * by)
  case #rectangle a b -> #rectangle (a * by) (b * by)
  case #nothing -> #nothing

type option = #some ([]i32) | #none

entry first_two [n] (xs: [n]i32) : option = if n >= 2 then #some (take 2 xs) else #none
