-- Sums.

entry area (s: #circle f32 | #rectangle f32 f32 | #nothing) : f32 =
  match s
  case #circle r -> 3 * r * r
  case #rectangle a b -> a * b
  case #nothing -> 0

entry grow (s: #circle f32 | #rectangle f32 f32 | #nothing) (by: f32)
  : #circle f32 | #rectangle f32 f32 | #nothing =
  match s
  case #circle r -> #circle (r * by)
  case #rectangle a b -> #rectangle (a * by) (b * by)
  case #nothing -> #nothing

entry first_two [n] (xs: [n]i32) : #some ([]i32) | #none = if n >= 2 then #some (take 2 xs) else #none

entry areas [n] (ss: [n](#circle f32 | #rectangle f32 f32 | #nothing)) : [n]f32 = map area ss
