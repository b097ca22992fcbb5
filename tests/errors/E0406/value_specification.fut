module type t = {
  val total: []i32 -> i32
}
