module type has_x = {val x: i32}

module m: has_x = \(a: has_x) -> {
  def x = a.x
}
