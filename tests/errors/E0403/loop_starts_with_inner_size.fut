def f (xs: []i32) =
  loop acc = [] for x in xs do
    map2 (\a (b: i32) -> a + b) acc (filter (> x) xs)
