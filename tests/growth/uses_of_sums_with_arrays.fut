-- Arrays of sums with arrays in their payloads, made and taken apart at many places.
-- growth: 1 2 4
-- code: c device
type~ s = #none | #arr ([]i64) | #pair i64 ([][2]f32) | #both ([]i64) ([]bool)
def mk (i: i64) : s =
  match i % 4
  case 0 -> #none
  case 1 -> #arr (iota (i % 7))
  case 2 -> #pair i (map (\j -> [f32.i64 j, f32.i64 (i - j)]) (iota (i % 3)))
  case _ -> #both (iota i) (map (\j -> j % 2 == 0) (iota (i % 5)))
def value (x: s) : i64 =
  match x
  case #none -> -1
  case #arr xs -> i64.sum xs
  case #pair i yss -> i * 1000 + i64.f32 (f32.sum (map (\r -> r[0] * 10 + r[1]) yss))
  case #both xs bs -> i64.sum xs - i64.sum (map i64.bool bs)
entry main (n: i64) : i64 =
  let s0 = n
-- repeat
  let s{i} = s{i-1} + i64.sum (map value (map mk (iota (n + {i}))))
-- end
  in s{n}
