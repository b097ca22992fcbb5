type t = [?]f32
