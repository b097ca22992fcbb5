type t = i32 -> i32
