def omega x = x x
