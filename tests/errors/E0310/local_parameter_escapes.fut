def f (x: i32) =
  let keep 'a (y: a) = (y, x :> a)
  in keep true
