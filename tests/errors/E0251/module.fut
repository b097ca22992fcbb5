module m: {module inner: {val x: i32}} = {
  def x = 1i32
}
