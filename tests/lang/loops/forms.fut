def for_form (n: i32) : i32 = loop acc = 0 for i < n do acc + i

def in_form [n] (xs: [n]f32) : f32 = loop acc = 0 for x in xs do acc * 2 + x

def while_form (n: i64) : i64 = loop x = n while x > 10 do x / 2

def several (n: i64) : (i64, i64) =
  loop (a, b) = (0, 1) for _i < n do (b, a + b)

def by_name (x: i32) : i32 =
  let y = 1
  in loop y for i < x do y * i
