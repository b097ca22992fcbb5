-- ==
-- entry: predecessor
-- input { 1 } output { 0 }
-- input { 0 } error: An assertion does not hold
entry predecessor (x: i32) : i32 = assert (x > 0) (x - 1)

-- ==
-- entry: in_parallel
-- input { [1, 2] } output { [0, 1] }
-- input { [1, 0] } error: An assertion does not hold
-- input { empty([0]i32) } output { empty([0]i32) }
entry in_parallel [n] (xs: [n]i32) : [n]i32 =
  map (\x -> assert (x > 0) (x - 1)) xs

-- An assertion that is not reached does not fail.
-- ==
-- entry: guarded
-- input { 0 } output { -1 }
-- input { 5 } output { 4 }
entry guarded (x: i32) : i32 = if x > 0 then assert (x > 0) (x - 1) else -1
