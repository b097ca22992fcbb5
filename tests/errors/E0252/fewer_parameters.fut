module m: {val f: i32 -> i32 -> i32} = {
  def f (x: i32) = x
}
