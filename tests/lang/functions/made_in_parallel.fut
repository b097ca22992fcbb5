def adders [n] (xs: [n]i32) : [n](i32 -> i32) = map (\x -> \y -> x + y) xs

-- ==
-- entry: use
-- input { [1, 2, -10] } output { [11, 12, 0] }
-- input { [7] } output { [17] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry use [n] (xs: [n]i32) : [n]i32 = map (\f -> f 10) (adders xs)
