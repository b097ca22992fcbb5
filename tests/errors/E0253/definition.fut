module type m = {type t = i32}

module n : m = {type t = f32}
