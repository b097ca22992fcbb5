def pad [n] (b: bool) (xs: [n]i32): [n]i32 = if b then xs else [1, 2]
