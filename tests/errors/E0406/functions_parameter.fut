module type t = {
  val apply [n]: ([]i32 -> i32) -> [n]i32 -> i32
}
