-- | Eigenvalues, singular values and iterative solutions; the expected values are NumPy's.
import "/norn/linalg"
import "/norn/complex"

-- The eigenvalues, and the matrix made of them and the eigenvectors again.
-- ==
-- entry: eigen
-- input { empty([0][0]f64) }
-- output { empty([0]f64) empty([0][0]f64) true }
-- input { [[-1.5]] }
-- output { [-1.5] [[-1.5]] true }
-- input { [[0.0, 1.0], [1.0, 0.0]] }
-- output { [-1.0, 1.0] [[0.0, 1.0], [1.0, 0.0]] true }
-- input { [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] }
-- output { [-1e-15, -0.0, 3.0] [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] true }
-- input { [[-2.98, -1.41, 2.2, -1.24], [-1.41, 3.42, -1.23, -2.38], [2.2, -1.23, -1.04, -1.4], [-1.24, -2.38, -1.4, 2.3]] }
-- output { [-4.499800416756642, -2.106360500549275, 2.975522167316092, 5.330638749989828] [[-2.98, -1.41, 2.2, -1.24], [-1.41, 3.42, -1.23, -2.38], [2.2, -1.23, -1.04, -1.4], [-1.24, -2.38, -1.4, 2.3]] true }
-- input { [[1.36, -1.13, 0.21, -0.69, 2.61], [-1.13, 0.42, 1.14, -2.26, -0.82], [0.21, 1.14, 2.94, 0.1, 1.48], [-0.69, -2.26, 0.1, -0.56, -2.54], [2.61, -0.82, 1.48, -2.54, -3.74]] }
-- output { [-6.272796749784247, -2.230956837698952, 1.747619932340156, 3.075899873312706, 4.10023378183034] [[1.36, -1.13, 0.21, -0.69, 2.61], [-1.13, 0.42, 1.14, -2.26, -0.82], [0.21, 1.14, 2.94, 0.1, 1.48], [-0.69, -2.26, 0.1, -0.56, -2.54], [2.61, -0.82, 1.48, -2.54, -3.74]] true }
entry eigen [n] (a: [n][n]f64) : ([n]f64, [n][n]f64, bool) =
  let (values, v) = linalg.eigh a
  let product = linalg.(matmul v (matmul (todiag values) (adjoint v)))
  let orthogonal = linalg.(matsub (matmul (adjoint v) v) (eye n))
  in (values, product, all (all (\x -> f64.abs x < 1e-13)) orthogonal)

-- ==
-- entry: complex_eigen
-- input { [[-2.4, 1.0, -2.05], [1.0, 1.58, -2.0], [-2.05, -2.0, 3.98]] [[0.0, 2.62, -1.01], [-2.62, 0.0, 1.08], [1.01, -1.08, 0.0]] }
-- output { [-4.014861239791655, 0.525962645207354, 6.648898594584301] true }
entry complex_eigen [n] (re: [n][n]f64) (im: [n][n]f64) : ([n]f64, bool) =
  let a = map2 zip re im
  let (values, v) = linalg_c64.eigh a
  let left = linalg_c64.matmul a v
  let right = map (map2 (\s z -> c64.(mk s 0 * z)) values) v
  let rest = linalg_c64.matsub left right
  in (values, all (all (\z -> c64.mag z < 1e-13)) rest)

-- The singular values, the matrix made of them and the vectors again, the pseudo-inverse and the condition.
-- ==
-- entry: singular
-- input { empty([2][0]f64) }
-- output { empty([0]f64) empty([2][0]f64) empty([0][2]f64) 1.0 }
-- input { [[-0.5]] }
-- output { [0.5] [[-0.5]] [[-2.0]] 1.0 }
-- input { [[-1.75, 0.39, 1.58], [-1.89, 1.22, -1.24], [-1.63, -1.93, -0.83], [0.91, -0.03, 1.41]] }
-- output { [3.352404268676542, 2.456310351209286, 2.219194691301646] [[-1.75, 0.39, 1.58], [-1.89, 1.22, -1.24], [-1.63, -1.93, -0.83], [0.91, -0.03, 1.41]] [[-0.241548126132155, -0.155358052106722, -0.147747541123862, 0.047072053577067], [0.040094538858874, 0.250670865358814, -0.35109331641567, -0.031152447501488], [0.311183102498709, -0.158268341757912, -0.040235944962525, 0.197646893583924]] 1.5106400000940092 }
-- input { [[-1.13, -0.74, -0.97, 1.91, 1.76], [-0.64, -0.26, -0.74, 0.99, -1.84]] }
-- output { [3.087206187290432, 2.317489580808439] [[-1.13, -0.74, -0.97, 1.91, 1.76], [-0.64, -0.26, -0.74, 0.99, -1.84]] [[-0.115423669712731, -0.112605578857087], [-0.076475888824932, -0.044176893309517], [-0.098015826364018, -0.132080006537896], [0.195609208694939, 0.173281759991488], [0.195619406428257, -0.351716461979007]] 1.3321337937638034 }
entry singular [m] [n]
               (a: [m][n]f64) : ?[k].([k]f64, [m][n]f64, [n][m]f64, f64) =
  let (u, s, w) = linalg.svd a
  in ( s
     , linalg.(matmul u (matmul (todiag s) w))
     , linalg.pinv a
     , linalg.cond a
     )

-- A matrix of rank one: the vectors are orthonormal nevertheless, and the solution is the shortest.
-- ==
-- entry: dependent
-- input { [[2.0, -1.0], [4.0, -2.0], [4.0, -2.0]] [1.0, 1.0, 1.0] }
-- output { true [0.222222222222222, -0.111111111111111] }
entry dependent [m] [n] (a: [m][n]f64) (b: [m]f64) : (bool, [n]f64) =
  let [k] (u: [m][k]f64, _, _) = linalg.svd a
  let rest = linalg.(matsub (matmul (adjoint u) u) (eye k))
  in ( all (all (\x -> f64.abs x < 1e-13)) rest
     , linalg.matvecmul_row (linalg.pinv a) b
     )

-- ==
-- entry: gradients
-- input { [[7.0821, -1.3469, -0.4694, 3.5687], [-1.3469, 2.9887, 0.8692, 0.5356], [-0.4694, 0.8692, 7.3885, -2.8149], [3.5687, 0.5356, -2.8149, 6.9167]] [1.04, -1.86, -0.56, -1.35] }
-- output { [0.228335214323967, -0.417902536770176, -0.140883373130949, -0.337965198387981] true }
-- input { [[2.0]] [0.0] }
-- output { [0.0] true }
entry gradients [n] (a: [n][n]f64) (b: [n]f64) : ([n]f64, bool) =
  let (x, steps) =
    linalg.conjugate_gradients (linalg.matvecmul_row a) 1e-12 100 b
  in (x, steps <= n + 1)
