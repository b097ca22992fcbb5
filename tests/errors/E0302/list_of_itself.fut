def wrap x = [x, wrap x]
