module type m = {type t val x : t}

module n : m = {def x : i32 = 1}
