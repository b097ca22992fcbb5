def p = {x = 1i32, x = 2i32}
