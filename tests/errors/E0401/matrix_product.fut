def dot [n] (a: [n]f64) (b: [n]f64): f64 = f64.sum (map2 (*) a b)

def product [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) =
  map (\row -> map (\column -> dot row column) b) a
