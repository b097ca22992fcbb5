-- Two functions of one type, of which only one captures arrays.
-- ==
-- input { true 1i64 } output { [2i64, 1i64] }
-- input { false 1i64 } output { [5i64, 2i64] }

entry main (b: bool) (i: i64) : [2]i64 =
  let v1 = [1, 2, 3]
  let v2 = [4, 5, 6]
  let select = \first j -> if first then v1[j] else v2[j]
  let compute = \first j -> if first then j else j * 2
  in map (\f -> f b i) [select, compute]
