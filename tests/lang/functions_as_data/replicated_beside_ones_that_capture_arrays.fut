-- A function that captures nothing is replicated where others of its kind capture arrays.
-- ==
-- input { [1, 2, 3] 2i64 } output { 3i64 }
-- input { [1] 2i64 } output { 0i64 }
-- input { [1] 0i64 } output { 1i64 }
-- input { empty([0]i32) 1i64 } output { 0i64 }
entry main [n] (p: [n]i32) (m: i64) : i64 =
  let tests =
    loop tests = replicate n (\_ -> true)
    for _i < m do
      tabulate n (\_ -> (\(x: bool) -> let xs = copy p in length xs > 1 && x))
  in i64.sum (map (\test -> i64.bool (test true)) tests)
