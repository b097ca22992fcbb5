module type m = {val id 'a : a -> a}

module n : m = {def id (x: i32) = x}
