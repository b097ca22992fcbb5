-- ==
-- input { 5 } output { 5 2 }

def main (k: i32) : (i32, i32) =
  let r = {a = {b = 1i32}, c = 2i32} with a.b = k
  in (r.a.b, r.c)
