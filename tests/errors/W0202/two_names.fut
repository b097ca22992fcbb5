def f (x: i32) (y: i32) (zs: [](i32, i32)) =
  (x + y, map (\(x, y) -> x * y) zs)
