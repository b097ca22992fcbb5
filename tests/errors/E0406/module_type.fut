module type t = {
  type rows = []i32
  val x: i32
}
