-- A sum of 32 bits wraps around before it is widened, also where the number itself is widened beside it.
-- ==
-- input { [2147483647, -1, 5, -2147483648] [1i64, 2i64, 3i64, 4i64] } output { [[2147483678i64, -2147483617i64], [61i64, 62i64], [98i64, 99i64], [-2147483524i64, -2147483523i64]] }
entry main [n] (us: [n]i32) (rs: [n]i64) : [n][2]i64 =
  map2 (\u r -> [i64.i32 u + 31 * r, i64.i32 (u + 1) + 31 * r]) us rs

-- With a group of threads for each row.
-- ==
-- entry: rows
-- input { [2147483647, -1, 5, -2147483648] 513i64 } output { [[2147626309i64, -2147340986i64], [142661i64, 142662i64], [47559i64, 47560i64], [-2147483648i64, -2147483647i64]] }
entry rows [n] (us: [n]i32) (m: i64) : [n][2]i64 =
  map (\u ->
    let s = i64.sum (tabulate m (\i -> i % 7 * i64.i32 (u & 3)))
    in tabulate 2 (\l -> i64.i32 (u + i32.i64 l) + 31 * s)) us
