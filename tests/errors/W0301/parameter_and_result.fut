def double x = x + x
