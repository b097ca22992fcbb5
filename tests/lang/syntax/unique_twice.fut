def f (xs: * *[]i32) : []i32 = xs

-- ==
-- entry: main
-- input { [1, 2] } output { [1, 2] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry main (xs: []i32) : []i32 = f (copy xs)
