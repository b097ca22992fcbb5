def f (x: i64) =
  let y = x;
  let z = y;
  in z
