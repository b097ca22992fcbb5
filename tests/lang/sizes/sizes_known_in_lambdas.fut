-- A lambda knows the sizes of what it is applied to, so that what its loops yield is as long as what they begin with.
-- ==
-- entry: main
-- input { [[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]] } output { [[3u8, 2u8, 1u8], [6u8, 5u8, 4u8]] }
-- input { empty([0][3]u8) } output { empty([0][3]u8) }
entry main [n] (xs: [n][3]u8) : [n][3]u8 =
  map (\x -> loop s = x for _i < 3i64 do map (\i -> s[2 - i]) (iota 3)) xs

-- ==
-- entry: of_two
-- input { [[1, 2], [3, 4]] [[5, 6], [7, 8]] } output { [[15, 18], [21, 24]] }
entry of_two [n] [m] (xs: [n][m]i32) (ys: [n][m]i32) : [n][m]i32 =
  map2 (\x y ->
    loop s = y for _i < 2i32 do
      tabulate m (\i -> s[i] + y[i] + x[i] - x[i])) xs ys
