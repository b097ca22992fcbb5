module type container = {
  type c 'a
  val single 'a: a -> c a
}

module type bad = container with c 'a 'b = (a, b)
