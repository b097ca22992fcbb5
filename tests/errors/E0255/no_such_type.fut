module type m = {type t val x : t}

module type n = m with u = i32
