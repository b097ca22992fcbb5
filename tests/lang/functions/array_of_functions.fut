def steps : [3](i32 -> i32) = [\x -> x + 1, \x -> x * 2, \x -> -x]

-- ==
-- entry: apply_all
-- input { 5 } output { [6, 10, -5] }
-- input { -2147483648 } output { [-2147483647, 0, -2147483648] }
entry apply_all (x: i32) : [3]i32 = map (\f -> f x) steps

-- ==
-- entry: chosen
-- input { 0i64 5 } output { 6 }
-- input { 1i64 5 } output { 10 }
-- input { 2i64 5 } output { -5 }
-- input { 3i64 5 } error:
entry chosen (i: i64) (x: i32) : i32 = steps[i] x
