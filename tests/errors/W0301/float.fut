def scale x = x * 1.5
