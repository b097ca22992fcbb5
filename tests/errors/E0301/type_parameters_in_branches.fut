def choose 'a 'b (c: bool) (x: a) (y: b) = if c then x else y
