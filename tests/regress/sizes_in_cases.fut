-- What a case binds is a size in it, as after `let`; and a size that the only case of a match makes comes into existence with the match.
-- ==
-- entry: bound_by_a_case
-- input { 5i64 } output { [1i64, 2i64, 3i64, 4i64] }
-- input { 0i64 } output { empty([0]i64) }

-- ==
-- entry: of_several
-- input { 4i64 2i64 } output { [6i64, 7i64] [8i64, 9i64] }

-- ==
-- entry: made_in_the_only_case
-- input { 4i64 } output { 6i64 [0i64, 1i64, 2i64, 3i64, 4i64, 3i64] }

type numbers = #none | #upto i64 | #between i64 i64

def positive (x: numbers) : []i64 =
  match x
  case #none -> []
  case #upto n -> filter (> 0) (iota n)
  case #between m n -> filter (> 0) (map (+ m) (iota (n - m)))

entry bound_by_a_case (n: i64) : []i64 =
  positive (if n == 0 then #none else #upto n)

entry of_several (m: i64) (n: i64) : ([]i64, []i64) =
  match (m + n, n)
  case (k, l) ->
    let xs = map2 (+) (iota l) (replicate l k)
    in (xs, map (+ l) (filter (>= k) xs))

type^ rec change = #change ((k: i64) -> [k]i64 -> []i64)

def changed [k] (f: change) (xs: [k]i64) : []i64 =
  match f
  case #change g -> g k xs

entry made_in_the_only_case (n: i64) : (i64, []i64) =
  let longer: change = #change (\k (xs: [k]i64) : []i64 -> xs ++ [n, n - 1])
  let ys = changed longer (iota n)
  in (length ys, ys)
