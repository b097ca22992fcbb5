-- ==
-- input { 0i32 10i64 } output { [11i64, 11i64] }
-- input { 1i32 10i64 } output { [20i64, 10i64] }

def by_if (k: i32) : i64 -> i64 = if k == 0 then (+ 1) else (* 2)

def by_match (k: i32) : i64 -> i64 =
  match k
  case 0 -> (+ 1)
  case 1 -> (\x -> x)
  case _ -> (* 2)

entry main (k: i32) (x: i64) : [2]i64 = [by_if k x, by_match k x]
