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
