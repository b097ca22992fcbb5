module m : shape = {def x : i32 = 1}
