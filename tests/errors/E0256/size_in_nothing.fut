module type m = { val f [n]: i32 -> i32 }
