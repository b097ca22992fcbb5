module type t = {
  val rows [n]: [n][]f64 -> i64
}
