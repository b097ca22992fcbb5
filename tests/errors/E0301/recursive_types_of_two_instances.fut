module lists (X: {type t}) = {
  type rec list = #nil | #cons X.t list
  def empty: list = #nil
  def is_empty (l: list) : bool = match l case #nil -> true case #cons _ _ -> false
}

module a = lists { type t = i32 }

module b = lists { type t = i32 }

def f : bool = a.is_empty b.empty
