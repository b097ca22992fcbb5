module type m = {val x : i32 val x : i32}
