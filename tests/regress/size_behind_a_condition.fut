-- A size that is computed only under a condition is not computed without it, though it is a part of the result's type.
-- ==
-- entry: by_if by_and
-- input { empty([0]u8) } output { empty([0]u8) }
-- input { [3u8, 1u8] } output { [3u8] }

entry by_if [n] (xs: [n]u8) =
  let k = if n == 0 then 0 else i64.u8 xs[n - 1]
  in take k xs

entry by_and [n] (xs: [n]u8) =
  let k = i64.bool (n > 0 && xs[n - 1] == 1)
  in take k xs
