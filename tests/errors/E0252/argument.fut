module type m = {val f : i32 -> bool}

module n : m = {def f (x: bool) = x}
