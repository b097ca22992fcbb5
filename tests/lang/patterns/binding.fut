def f (a: i32, {x: i32, y = (b, _): (i32, i32)}) = a + x + b

def g (p: (i32, (bool, f32))) =
  let (n, (b, x)) = p
  in if b then x else f32.i32 n
