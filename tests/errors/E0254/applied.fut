module m = {def x : i32 = 1}

module n = m {def y : i32 = 1}
