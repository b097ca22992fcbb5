def table (n: i64) =
  map (\i -> map (\i -> i * i) (iota n)) (iota n)
