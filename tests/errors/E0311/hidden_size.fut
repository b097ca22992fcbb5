type t = []i32
