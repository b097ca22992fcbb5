-- ==
-- entry: for_form
-- input { 5 } output { 10 }
-- input { 1 } output { 0 }
-- input { 0 } output { 0 }
-- input { -3 } output { 0 }
entry for_form (n: i32) : i32 = loop acc = 0 for i < n do acc + i

-- ==
-- entry: in_form
-- input { [1f32, 2f32, 3f32] } output { 11f32 }
-- input { [4f32] } output { 4f32 }
-- input { empty([0]f32) } output { 0f32 }
entry in_form [n] (xs: [n]f32) : f32 = loop acc = 0 for x in xs do acc * 2 + x

-- ==
-- entry: while_form
-- input { 100i64 } output { 6i64 }
-- input { 10i64 } output { 10i64 }
-- input { -5i64 } output { -5i64 }
entry while_form (n: i64) : i64 = loop x = n while x > 10 do x / 2

-- ==
-- entry: several
-- input { 10i64 } output { 55i64 89i64 }
-- input { 1i64 } output { 1i64 1i64 }
-- input { 0i64 } output { 0i64 1i64 }
entry several (n: i64) : (i64, i64) =
  loop (a, b) = (0, 1) for _i < n do (b, a + b)

-- ==
-- entry: by_name
-- input { 3 } output { 0 }
-- input { 0 } output { 1 }
entry by_name (x: i32) : i32 =
  let y = 1
  in loop y for i < x do y * i
