module type operation = {
  type t
}

module operation: operation = {
  type^ t = i64 -> i64
}
