type rec t = #leaf ([]f32) ([]f32) | #node t t

def f (x: t) : f32 =
  match x
  case #leaf xs ys -> f32.sum (map2 (*) xs ys)
  case #node a b -> f a + f b
