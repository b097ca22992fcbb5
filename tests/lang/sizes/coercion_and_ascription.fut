def same [n] (xs: [n]i32) (ys: []i32) : [n](i32, i32) = zip xs (ys :> [n]i32)

-- ==
-- entry: ten
-- input { [0f32, 1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32, 9f32] } output { [0f32, 1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32, 9f32] }
-- input { [0f32, 1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32] } error:
-- input { empty([0]f32) } error:
entry ten (xs: []f32) : [10]f32 = xs :> [10]f32

-- ==
-- entry: f
-- input { [1, 2] } output { [1, 2] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry f (xs: []i32) = xs : []i32

-- ==
-- entry: of_same
-- input { [1, 2] [3, 4] } output { [1, 2] [3, 4] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { [1, 2] [3] } error:
entry of_same [n] (xs: [n]i32) (ys: []i32) : ([n]i32, [n]i32) =
  unzip (same xs ys)
