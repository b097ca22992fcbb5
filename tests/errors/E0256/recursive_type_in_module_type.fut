module type tree = {
  type rec t = #leaf | #node t t
}
