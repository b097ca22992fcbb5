type matrix [n] [m] = [n][m]f64

def flip [n] [m] (a: matrix [n] [m]): matrix [n] [m] = transpose a
