def f (a: i32, {x: i32, y = (b, _): (i32, i32)}) = a + x + b

def g (p: (i32, (bool, f32))) =
  let (n, (b, x)) = p
  in if b then x else f32.i32 n

-- ==
-- entry: of_f
-- input { 1 20 300 } output { 321 }
entry of_f (a: i32) (x: i32) (b: i32) : i32 = f (a, {x, y = (b, 1000)})

-- ==
-- entry: of_g
-- input { 3 true 1.5f32 } output { 1.5f32 }
-- input { 3 false 1.5f32 } output { 3f32 }
entry of_g (n: i32) (b: bool) (x: f32) : f32 = g (n, (b, x))
