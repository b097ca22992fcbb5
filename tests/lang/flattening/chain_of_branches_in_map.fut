-- The branches of a chain of conditions are taken by the elements that reach them, and their results put in place.
-- ==
-- entry: chain
-- input { 12i64 } output { [0i64, 0i64, 4i64, 6i64, 106i64, 0i64, 15i64, 49i64, 31i64, 102i64, 112i64, 0i64] }

-- ==
-- entry: checked
-- input { 6i64 3i64 } output { [1i64, 0i64, 2i64, 3i64, 0i64, 5i64] }
-- input { 6i64 0i64 } error: Division by zero

def rows (i: i64) : (i64, []i64) =
  let r = i % 5
  in if i < 2
     then (0, iota 0)
     else if r == 3
     then (2 * i, iota (i - 2))
     else
       let k = i * i
       in if r == 2
          then (k, iota 1)
          else if r == 4 || i == 10
          then (102, map (+ i) (iota (i % 3)))
          else if i == 6
          then (0, iota i)
          else (0, [])

entry chain (n: i64) : []i64 =
  map (\i ->
    let (a, xs) = rows i in a % 100 + i64.sum xs + 100 * (a / 102)) (iota n)

entry checked (n: i64) (d: i64) : []i64 =
  map (\i ->
    let xs =
      match i % 3
      case 0 -> iota (i / d + 2)
      case 1 -> map (* 2) (iota (i % d))
      case _ -> map (+ i) (iota 1)
    in i64.sum xs) (iota n)
