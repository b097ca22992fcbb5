module type m = {val x : i32 val y : i32}

module n : m = {def x : i32 = 1}
