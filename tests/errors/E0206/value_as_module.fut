def point = {x = 1i32, y = 2i32}

open point
