-- ==
-- input { } output { 1i64 }

module lists (X: {type t}) = {
  type rec list = #nil | #cons X.t list
  def empty : list = #nil

  def length (l: list) : i64 =
    match l
    case #nil -> 0
    case #cons _ rest -> 1 + length rest
}

module numbers = lists {type t = i32}

def main : i64 = numbers.length (#cons 3 numbers.empty)

-- ==
-- entry: of_length
-- input { 0i64 } output { 0i64 }
-- input { 100i64 } output { 100i64 }
entry of_length (n: i64) : i64 =
  numbers.length (loop l = numbers.empty for _i < n do #cons 0 l)
