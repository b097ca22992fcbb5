-- ==
-- input { 3 } output { 9 }
-- input { 0 } output { -1 }

type shape = #nothing | #box i32 {h: i32}

def main (x: i32) : i32 =
  let s: shape = if x > 0 then #box x {h = x} else #nothing
  in match s
     case #nothing -> -1
     case #box w {h} -> w * h
