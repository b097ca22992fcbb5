def same (a: [2](i32 -> i32)) (b: [2](i32 -> i32)) : bool = a == b
