-- ==
-- entry: upwards
-- input { 1i64 4i64 } output { [1i64, 2i64, 3i64] [1i64, 2i64, 3i64, 4i64] }
-- input { 4i64 4i64 } output { empty([0]i64) [4i64] }
-- input { 5i64 4i64 } error: The range 5\.\.6\.\.4 is invalid: its step leads away from its end
entry upwards (a: i64) (b: i64) : ([]i64, []i64) = (a..<b, a...b)

-- ==
-- entry: downwards
-- input { 4i64 1i64 } output { [4i64, 3i64, 2i64] }
-- input { 4i64 4i64 } output { empty([0]i64) }
-- input { 4i64 5i64 } error: The range 4\.\.3\.\.5 is invalid: its step leads away from its end
entry downwards (a: i64) (b: i64) : []i64 = a..>b

-- ==
-- entry: by_steps
-- input { 0i64 3i64 10i64 } output { [0i64, 3i64, 6i64, 9i64] }
-- input { 10i64 7i64 0i64 } output { [10i64, 7i64, 4i64, 1i64] }
-- input { 0i64 0i64 10i64 } error: The range 0\.\.0\.\.10 is invalid: its step is 0
-- input { 0i64 -1i64 10i64 } error: The range 0\.\.-1\.\.10 is invalid: its step leads away from its end
-- input { 10i64 11i64 0i64 } error: The range 10\.\.11\.\.0 is invalid: its step leads away from its end
entry by_steps (a: i64) (b: i64) (c: i64) : []i64 = a..b...c

-- The step must lead the way that the arrow tells.
-- ==
-- entry: steps_upwards
-- input { 0i64 3i64 9i64 } output { [0i64, 3i64, 6i64] }
-- input { 0i64 -3i64 9i64 } error: The range 0\.\.-3\.\.9 is invalid: its step leads away from its end
-- input { 0i64 0i64 9i64 } error: The range 0\.\.0\.\.9 is invalid: its step is 0
entry steps_upwards (a: i64) (b: i64) (c: i64) : []i64 = a..b..<c

-- ==
-- entry: steps_downwards
-- input { 9i64 6i64 0i64 } output { [9i64, 6i64, 3i64] }
-- input { 9i64 12i64 0i64 } error: The range 9\.\.12\.\.0 is invalid: its step leads away from its end
entry steps_downwards (a: i64) (b: i64) (c: i64) : []i64 = a..b..>c
