def total [n] (xs: [n]i64): i64 =
  let sum = 0
  for x in xs:
    sum += x
  return sum
