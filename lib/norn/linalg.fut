-- | Linear algebra with dense matrices, over real and complex numbers.
--
-- Factorisations are blocked: the columns of a panel are eliminated one after the other, each step in
-- parallel, and what is to the right of the panel is updated by one product of matrices. So large
-- matrices run at the speed of products. Small ones are one panel; many of them at once are a `map`, as
-- in `map2 linalg.solve as bs`.
--
-- `linalg`@module works on numbers of type `f64`, `linalg_f32`@module on `f32`, and `linalg_c64`@module
-- and `linalg_c32`@module on complex numbers, which are pairs as in `/norn/complex`. `mk_linalg`@module
-- makes a module for any other field.
--
-- A singular matrix is no failure: the results have infinities or NaN in them.

import "field"
import "complex"

-- | Linear algebra over a field.
module mk_linalg (F: field) = {
  local module R = F.R
  type t = F.t
  type real = R.t

  -- The columns that are eliminated before the others are updated.
  local def width (n: i64) : i64 = i64.max 1 (i64.min 32 n)

  -- The least multiple of the width that is not below.
  local def padded (n: i64) : i64 =
    let w = width n
    in (n + w - 1) / w * w

  local def sum [n] (xs: [n]t) : t = reduce (F.+) F.zero xs

  -- | The sum of the products of elements at the same place.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def dotprod [n] (xs: [n]t) (ys: [n]t) : t = sum (map2 (F.*) xs ys)

  -- | The inner product: as `dotprod`, with the conjugates of the first vector.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def inner [n] (xs: [n]t) (ys: [n]t) : t =
    sum (map2 (\x y -> F.conj x F.* y) xs ys)

  -- | The length of a vector. The squares of its elements must not overflow.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def norm [n] (xs: [n]t) : real =
    R.sqrt (R.sum (map (\x -> R.(F.mag x * F.mag x)) xs))

  -- | All products of an element of the first and one of the second.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(1)*.
  def outer [n] [m] (xs: [n]t) (ys: [m]t) : [n][m]t =
    map (\x -> map (\y -> x F.* y) ys) xs

  -- | The cross product.
  def cross (xs: [3]t) (ys: [3]t) : [3]t =
    let part (i: i64) (j: i64) : t = xs[i] F.* ys[j] F.- xs[j] F.* ys[i]
    in [part 1 2, part 2 0, part 0 1]

  -- | The identity.
  --
  -- **Work:** *O(n²)*. **Span:** *O(1)*.
  def eye (n: i64) : [n][n]t =
    tabulate_2d n n (\i j -> if i == j then F.one else F.zero)

  -- | The matrix with these elements on its diagonal.
  --
  -- **Work:** *O(n²)*. **Span:** *O(1)*.
  def todiag [n] (xs: [n]t) : [n][n]t =
    tabulate_2d n n (\i j -> if i == j then xs[i] else F.zero)

  -- | The elements on the diagonal.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def fromdiag [n] (a: [n][n]t) : [n]t = tabulate n (\i -> a[i, i])

  -- | The sum of the elements on the diagonal.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def trace [n] (a: [n][n]t) : t = sum (fromdiag a)

  -- | The sum of two matrices.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(1)*.
  def matadd [n] [m] (a: [n][m]t) (b: [n][m]t) : [n][m]t =
    map2 (map2 (F.+)) a b

  -- | The difference of two matrices.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(1)*.
  def matsub [n] [m] (a: [n][m]t) (b: [n][m]t) : [n][m]t =
    map2 (map2 (F.-)) a b

  -- | A matrix times a number.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(1)*.
  def matscale [n] [m] (x: t) (a: [n][m]t) : [n][m]t =
    map (map (x F.*)) a

  -- | The conjugate of the transpose.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(1)*.
  def adjoint [n] [m] (a: [n][m]t) : [m][n]t =
    map (map F.conj) (transpose a)

  -- | The product of two matrices.
  --
  -- **Work:** *O(n ✕ m ✕ k)*. **Span:** *O(log(k))*.
  def matmul [n] [m] [k] (a: [n][k]t) (b: [k][m]t) : [n][m]t =
    map (\x -> map (\y -> dotprod x y) (transpose b)) a

  -- | A matrix times a vector.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(log(m))*.
  def matvecmul_row [n] [m] (a: [n][m]t) (x: [m]t) : [n]t =
    map (\row -> dotprod row x) a

  -- | A vector times a matrix.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(log(n))*.
  def vecmatmul [n] [m] (x: [n]t) (a: [n][m]t) : [m]t =
    map (\column -> dotprod x column) (transpose a)

  -- | The Kronecker product: each element of the first matrix times the second matrix, in its place.
  --
  -- **Work:** *O(n ✕ m ✕ k ✕ l)*. **Span:** *O(1)*.
  def kronecker [n] [m] [k] [l] (a: [n][m]t) (b: [k][l]t) : [n * k][m * l]t =
    tabulate_2d (n * k) (m * l) (\i j -> a[i / k, j / l] F.* b[i % k, j % l])

  -- | A power with an exponent that is not negative, by squaring.
  --
  -- **Work:** *O(n³ ✕ log(e))*. **Span:** *O(log(n) ✕ log(e))*.
  def matpow [n] (a: [n][n]t) (e: i64) : [n][n]t =
    let (power, _, _) =
      loop (power, square, left) = (eye n, a, e) while left > 0 do
        ( if left % 2 == 1 then matmul power square else power
        , if left > 1 then matmul square square else square
        , left / 2
        )
    in power

  -- The matrix in the corner of a larger one, with ones on the rest of the diagonal.
  local def pad [n] (m: i64) (a: [n][n]t) : *[m][m]t =
    tabulate_2d m m (\i j ->
      if i < n && j < n
      then a[i, j]
      else if i == j
      then F.one
      else F.zero)

  -- Solves `l x = b` for a triangle below a diagonal, one element after the other; with `unit`, the
  -- diagonal is 1.
  local def substitute [w] (unit: bool) (l: [w][w]t) (b: [w]t) : [w]t =
    loop x = copy b for i < w do
      let s = loop s = x[i] for j < i do s F.- l[i, j] F.* x[j]
      in x with [i] = copy (if unit then s else s F./ l[i, i])

  -- The same for the columns of a matrix, in blocks. What is on and above the diagonal is not read, but
  -- for the diagonal without `unit`.
  local def forward [n] [k] (unit: bool) (l: [n][n]t) (b: [n][k]t) : [n][k]t =
    let w = width n
    let m = padded n
    let l = if m == n then l :> [m][m]t else pad m l
    let b =
      if m == n
      then copy b :> [m][k]t
      else tabulate_2d m k (\i j -> if i < n then b[i, j] else F.zero)
    let x =
      loop b for block < m / w do
        let first = block * w
        let end = first + w
        let corner = l[first:end, first:end] :> [w][w]t
        let part = b[first:end] :> [w][k]t
        let x = transpose (map (substitute unit corner) (transpose part))
        let left = m - end
        let below = l[end:, first:end] :> [left][w]t
        let rest = map2 (map2 (F.-)) (b[end:] :> [left][k]t) (matmul below x)
        let b = b with [first:end] = x
        in b with [end:] = rest
    in x[:n]

  -- Rows and columns from last to first, which makes the upper triangle the lower one.
  local def flip [n] [m] (a: [n][m]t) : [n][m]t = map reverse (reverse a)

  -- | Solves `l x = b` for all columns of `b`, where `l` is a lower triangle: what is above its
  -- diagonal is not read.
  --
  -- **Work:** *O(n² ✕ k)*. **Span:** *O(n ✕ log(n))*.
  def solve_lower [n] [k] (l: [n][n]t) (b: [n][k]t) : [n][k]t =
    forward false l b

  -- | Solves `u x = b` for all columns of `b`, where `u` is an upper triangle: what is below its
  -- diagonal is not read.
  --
  -- **Work:** *O(n² ✕ k)*. **Span:** *O(n ✕ log(n))*.
  def solve_upper [n] [k] (u: [n][n]t) (b: [n][k]t) : [n][k]t =
    reverse (forward false (flip u) (reverse b))

  -- Eliminates the columns of a panel, whose diagonal begins in row `first`, with the largest element
  -- of each column as its pivot. Also yields where the rows come from, and how many were exchanged.
  local def panel [n] [w]
                  (a: [n][w]t)
                  (first: i64) : ([n][w]t, [n]i64, i64) =
    let larger (x: real, i: i64) (y: real, j: i64) : (real, i64) =
      if R.(x > y) || (x R.== y && i < j) then (x, i) else (y, j)
    let none = R.(neg (i64 1))
    in loop (a, from, swaps) = (a, iota n, 0) for j < i64.min w (n - first) do
         let k = first + j
         let (_, pivot) =
           reduce_comm larger
                       (none, n)
                       (tabulate n (\i ->
                         ( if i < k then none else F.mag a[i, j]
                         , i
                         )))
         -- Where nothing is a number, nothing is larger.
         let pivot = if pivot < k || pivot >= n then k else pivot
         let row (i: i64) : ([w]t, i64) =
           let old = if i == k then pivot else if i == pivot then k else i
           let f = a[old, j] F./ a[pivot, j]
           let element (c: i64) : t =
             if i <= k || c < j
             then a[old, c]
             else if c == j
             then f
             else a[old, c] F.- f F.* a[pivot, c]
           in (tabulate w element, from[old])
         let (a, from) = unzip (tabulate n row)
         in (a, from, swaps + i64.bool (pivot != k))

  local def factors [n] (a: [n][n]t) : ([n][n]t, [n]i64, i64) =
    let w = width n
    let m = padded n
    let a = if m == n then copy a :> [m][m]t else pad m a
    let (a, from, swaps) =
      loop (a, from, swaps) = (a, iota m, 0) for block < m / w do
        let first = block * w
        let end = first + w
        let (left, moved, more) = panel (a[:, first:end] :> [m][w]t) first
        let a = map (\i -> copy a[i]) moved
        let corner = left[first:end] :> [w][w]t
        let others = m - end
        let above = a[first:end, end:] :> [w][others]t
        let right = transpose (map (substitute true corner) (transpose above))
        let rest =
          map2 (map2 (F.-))
               (a[end:, end:] :> [others][others]t)
               (matmul (left[end:] :> [others][w]t) right)
        let a = a with [:, first:end] = left
        let a = a with [first:end, end:] = right
        let a = a with [end:, end:] = rest
        in (a, map (\i -> from[i]) moved, swaps + more)
    in (a[:n, :n], from[:n], swaps)

  -- | The factors of a matrix by Gaussian elimination with partial pivoting: an upper triangle, and
  -- below it a lower triangle whose diagonal is 1 and not stored. Their product is the matrix with its
  -- rows in another order: row `i` of the product is row `from[i]` of the matrix, where `from` is the
  -- second result.
  --
  -- **Work:** *O(n³)*. **Span:** *O(n ✕ log(n))*.
  def lu [n] (a: [n][n]t) : ([n][n]t, [n]i64) =
    let (factors, from, _) = factors a
    in (factors, from)

  -- | The lower and the upper triangle that `lu` stores in one matrix.
  --
  -- **Work:** *O(n²)*. **Span:** *O(1)*.
  def triangles [n] (factors: [n][n]t) : ([n][n]t, [n][n]t) =
    ( tabulate_2d n n (\i j ->
      if i == j
      then F.one
      else if i > j
      then factors[i, j]
      else F.zero)
    , tabulate_2d n n (\i j -> if i <= j then factors[i, j] else F.zero)
    )

  -- | Solves `a x = b` for all columns of `b`, with what `lu` makes of `a`.
  --
  -- **Work:** *O(n² ✕ k)*. **Span:** *O(n ✕ log(n))*.
  def lu_solve [n] [k]
               (factors: [n][n]t, from: [n]i64)
               (b: [n][k]t) : [n][k]t =
    solve_upper factors (forward true factors (map (\i -> b[i]) from))

  -- | Solves `a x = b` for all columns of `b`.
  --
  -- **Work:** *O(n³ + n² ✕ k)*. **Span:** *O(n ✕ log(n))*.
  def solve_many [n] [k] (a: [n][n]t) (b: [n][k]t) : [n][k]t =
    lu_solve (lu a) b

  local def column [n] (x: [n]t) : [n][1]t = map (\e -> [e]) x

  -- | Solves `a x = b`.
  --
  -- **Work:** *O(n³)*. **Span:** *O(n ✕ log(n))*.
  def solve [n] (a: [n][n]t) (b: [n]t) : [n]t =
    map (\row -> row[0]) (solve_many a (column b))

  -- | The inverse.
  --
  -- **Work:** *O(n³)*. **Span:** *O(n ✕ log(n))*.
  def inv [n] (a: [n][n]t) : [n][n]t = solve_many a (eye n)

  -- | The determinant; 1 for the empty matrix.
  --
  -- **Work:** *O(n³)*. **Span:** *O(n ✕ log(n))*.
  def det [n] (a: [n][n]t) : t =
    let (a, _, swaps) = factors a
    let product = reduce (F.*) F.one (fromdiag a)
    in if swaps % 2 == 0 then product else F.neg product

  -- | The lower triangle `l` with positive diagonal for which `l` times its adjoint is the matrix,
  -- which must be equal to its adjoint and positive definite; if it is not, there are NaNs in the
  -- result. What is above its diagonal is not read.
  --
  -- **Work:** *O(n³)*. **Span:** *O(n ✕ log(n))*.
  def cholesky [n] (a: [n][n]t) : [n][n]t =
    let w = width n
    let m = padded n
    let a = if m == n then copy a :> [m][m]t else pad m a
    let a =
      loop a for block < m / w do
        let first = block * w
        let end = first + w
        let left = a[first:, first:end]
        let below = m - first
        let left =
          loop left = left :> [below][w]t for j < w do
            let root = F.from_real (R.sqrt (F.re left[j, j]))
            let element (i: i64) (c: i64) : t =
              if i < j || c < j
              then left[i, c]
              else if c == j
              then left[i, j] F./ root
              else left[i, c]
                   F.- (left[i, j] F./ root) F.* F.conj (left[c, j] F./ root)
            in tabulate_2d below w element
        let others = m - end
        let right = left[w:] :> [others][w]t
        let rest =
          map2 (map2 (F.-))
               (a[end:, end:] :> [others][others]t)
               (matmul right (adjoint right))
        let a = a with [first:, first:end] = copy left
        in a with [end:, end:] = rest
    in tabulate_2d n n (\i j -> if i >= j then a[i, j] else F.zero)

  -- | Solves `a x = b` for all columns of `b`, where `l` is the result of `cholesky a`.
  --
  -- **Work:** *O(n² ✕ k)*. **Span:** *O(n ✕ log(n))*.
  def cholesky_solve [n] [k] (l: [n][n]t) (b: [n][k]t) : [n][k]t =
    solve_upper (adjoint l) (solve_lower l b)

  -- Reflections that make zeros below the diagonal of a panel, which begins in row `first`: the vectors
  -- of the reflections and what they are multiplied by.
  local def reflections [m] [w] (a: [m][w]t) (first: i64) : ([m][w]t, [w]t) =
    let zeros = tabulate_2d m w (\_ _ -> F.zero)
    let (_, vectors, factors) =
      loop (a, vectors, factors) = (a, zeros, replicate w F.zero)
      for j < i64.max 0 (i64.min w (m - first)) do
        let k = first + j
        let below =
          R.sum (tabulate m (\i ->
            if i <= k
            then R.i64 0
            else R.(F.mag a[i, j] * F.mag a[i, j])))
        let x = a[k, j]
        let size = F.mag x
        let squares = R.(below + size * size)
        let length = R.sqrt squares
        let sign =
          if R.(size == i64 0) then F.one else x F./ F.from_real size
        let head = x F.+ sign F.* F.from_real length
        let v (i: i64) : t =
          if i < k then F.zero else if i == k then head else a[i, j]
        -- One divided by half of the square of the vector's length; where there are zeros already,
        -- nothing is reflected.
        let factor =
          if R.(below == i64 0)
          then F.zero
          else F.from_real R.(i64 1 / (squares + size * length))
        let products =
          map (\column ->
            factor
            F.* sum (map2 (\i e -> F.conj (v i) F.* e)
                          (iota m)
                          column)) (transpose a)
        let row (i: i64) : ([w]t, [w]t) =
          ( tabulate w (\c -> a[i, c] F.- v i F.* products[c])
          , tabulate w (\c -> if c == j then v i else vectors[i, c])
          )
        let (a, vectors) = unzip (tabulate m row)
        let factors = factors with [j] = factor
        in (a, vectors, factors)
    in (vectors, factors)

  -- All reflections of a panel on the columns of a matrix, the last one first, or if they are
  -- `reversed` the first one first: a product of reflections is the identity minus `v t v'` with a
  -- triangle `t`, whose inverse is half of the products of the vectors (Joffrain and others,
  -- Accumulating Householder transformations, revisited, 2006).
  local def reflect [m] [w] [k]
                    (reversed: bool)
                    (vectors: [m][w]t)
                    (factors: [w]t)
                    (a: [m][k]t) : [m][k]t =
    let products = matmul (adjoint vectors) vectors
    let small = matmul (adjoint vectors) a
    let through (c: [w]t) : [w]t =
      loop y = copy c for step < w do
        let i = if reversed then step else w - 1 - step
        let s =
          if reversed
          then loop s = y[i] for j < i do s F.- products[i, j] F.* y[j]
          else loop s = y[i] for j in i + 1..<w do s F.- products[i, j] F.* y[j]
        in y with [i] = copy (factors[i] F.* s)
    let small = transpose (map through (transpose small))
    in map2 (map2 (F.-)) a (matmul vectors small)

  -- All reflections for the first `n` columns of a matrix, and what they make of it.
  local def reduce_columns [m] [k]
                           (n: i64)
                           (a: [m][k]t)
      : ?[b][w].([b][m][w]t, [b][w]t, [m][k]t) =
    let w = width n
    let blocks = padded n / w
    let all = i64.max k (blocks * w)
    let a =
      tabulate_2d m all (\i j -> if j < k then a[i, j] else F.zero)
    let vectors = tabulate_3d blocks m w (\_ _ _ -> F.zero)
    let factors = tabulate_2d blocks w (\_ _ -> F.zero)
    let (vectors, factors, a) =
      loop (vectors, factors, a) for block < blocks do
        let first = block * w
        let (v, f) = copy (reflections (a[:, first:first + w] :> [m][w]t) first)
        -- Vectors are zero above the diagonal.
        let below = m - first
        let right =
          copy (reflect true
                        (v[first:] :> [below][w]t)
                        f
                        (a[first:, first:] :> [below][all - first]t))
        let a = a with [first:, first:] = right
        in (vectors with [block] = v, factors with [block] = f, a)
    in (vectors, factors, a[:, :k])

  -- | A matrix whose columns are orthonormal, and an upper triangle, whose product is the matrix, by
  -- Householder's reflections. If there are more columns than rows, the triangle is wider than high.
  --
  -- **Work:** *O(m ✕ n ✕ min(m, n))*. **Span:** *O(min(m, n) ✕ log(m))*.
  def qr [m] [n] (a: [m][n]t) : ?[k].([m][k]t, [k][n]t) =
    let k = i64.min m n
    let (vectors, factors, r) = reduce_columns k a
    let q = tabulate_2d m k (\i j -> if i == j then F.one else F.zero)
    let w = width k
    let b = length vectors
    let q =
      loop q for step < b do
        let block = b - 1 - step
        let first = block * w
        let below = m - first
        let part =
          reflect false
                  (vectors[block, first:] :> [below][w]t)
                  (factors[block] :> [w]t)
                  (q[first:] :> [below][k]t)
        in q with [first:] = copy part
    in (q, tabulate_2d k n (\i j -> if i <= j then r[i, j] else F.zero))

  -- | The `x` for which `a x` is nearest to `b`, by `qr`. There must be at least as many rows as
  -- columns, which must be independent.
  --
  -- **Work:** *O(m ✕ n²)*. **Span:** *O(n ✕ log(m))*.
  def least_squares [m] [n] (a: [m][n]t) (b: [m]t) : [n]t =
    let both = map2 (\row e -> row ++ [e]) a b
    let (_, _, r) = reduce_columns n both
    let u = r[:n, :n]
    let c = r[:n, n:n + 1]
    in map (\row -> row[0]) (solve_upper (u :> [n][n]t) (c :> [n][1]t))

  -- The difference of one and the next number above it.
  local def epsilon : real =
    loop x = R.i64 1 while R.(i64 1 + x / i64 2 > i64 1) do R.(x / i64 2)

  -- Rotates rows in pairs until each is orthogonal to all others, and the rows of `v` with them: Jacobi's
  -- method, one-sided (Hestenes 1958). In each round of a tournament all rows have partners, so all pairs
  -- are rotated at once.
  local def orthogonalise [n] [m] [k]
                          (rows: [n][m]t)
                          (v: [n][k]t) : ([n][m]t, [n][k]t) =
    let last = n - 1 + n % 2
    let partner (r: i64) (j: i64) : i64 =
      if j == last
      then r
      else if j == r
      then last
      else (2 * (r + last) - j) % last
    let square (row: [m]t) : real =
      R.sum (map (\x -> R.(F.mag x * F.mag x)) row)
    let small = R.(epsilon * sqrt (i64 m))
    let least = R.(epsilon * epsilon * sum (map square rows))
    -- What becomes of a row: a multiple of its own, and one of its partner.
    let turn (rows: [n][m]t)
             (squares: [n]real)
             (r: i64)
             (j: i64) : (t, t, bool) =
      let p = partner r j
      in if p >= n
         then (F.one, F.zero, false)
         else let (a, b) = (i64.min j p, i64.max j p)
              let g = inner rows[a] rows[b]
              let size = F.mag g
              in if R.(size <= least
                       || size <= small * sqrt (squares[a] * squares[b])
                       || isnan size)
                 then (F.one, F.zero, false)
                 else let z = F.conj g F./ F.from_real size
                      let zeta = R.((squares[b] - squares[a]) / (i64 2 * size))
                      let t =
                        R.(i64 1 / (abs zeta + sqrt (i64 1 + zeta * zeta)))
                      let t = if R.(zeta < i64 0) then R.neg t else t
                      let c = R.(i64 1 / sqrt (i64 1 + t * t))
                      let s = R.(c * t)
                      in if j == a
                         then (F.from_real c, F.neg (F.from_real s F.* z), true)
                         else (F.from_real c F.* z, F.from_real s, true)
    let apply [l] (xs: [n][l]t) (r: i64) (own: [n]t) (other: [n]t) : [n][l]t =
      tabulate_2d n l (\j i ->
        let p = i64.min (n - 1) (partner r j)
        in own[j] F.* xs[j, i] F.+ other[j] F.* xs[p, i])
    let (rows, v, _, _) =
      loop (rows, v, going, sweep) = (rows, v, true, 0i64)
      while going && sweep < 40 do
        let (rows, v, turned) =
          loop (rows, v, turned) = (rows, v, false) for r < last do
            let squares = map square rows
            let (own, other, turns) = unzip3 (tabulate n (turn rows squares r))
            in (apply rows r own other, apply v r own other, turned || or turns)
        in (rows, v, turned, sweep + 1)
    in (rows, v)

  -- The indices of numbers, the largest first.
  local def descending [n] (xs: [n]real) : [n]i64 =
    map (.1) (sort_by (\(x, _) (y, _) -> R.(x >= y)) (zip xs (indices xs)))

  local def svd_tall [m] [n] (a: [m][n]t) : ([m][n]t, [n]real, [n][n]t) =
    let (columns, v) = orthogonalise (transpose a) (eye n)
    let order = descending (map norm columns)
    -- The triangle is a diagonal, and where that is zero there are columns nevertheless.
    let (q, r) = qr (transpose (map (\j -> columns[j]) order))
    let q = q :> [m][n]t
    let diagonal = fromdiag (r :> [n][n]t)
    let values = map F.mag diagonal
    let phase =
      map2 (\x s -> if R.(s > i64 0) then x F./ F.from_real s else F.one)
           diagonal
           values
    in (map (map2 (F.*) phase) q, values, map (\j -> map F.conj v[j]) order)

  -- | The singular value decomposition: matrices `u` and `w` and numbers `s`, the largest first, such that
  -- the matrix is `u` times the diagonal matrix of `s` times `w`. The columns of `u` are orthonormal,
  -- and so are the rows of `w`. By Jacobi's method, so that columns are rotated in all pairs at once.
  --
  -- **Work:** *O(m ✕ n ✕ min(m, n))* for each of some ten sweeps. **Span:** *O(min(m, n) ✕ log(m ✕ n))*.
  def svd [m] [n] (a: [m][n]t) : ?[k].([m][k]t, [k]real, [k][n]t) =
    let k = i64.min m n
    in if m >= n
       then let (u, s, w) = svd_tall a
            in (u :> [m][k]t, s :> [k]real, w :> [k][n]t)
       else let (u, s, w) = svd_tall (adjoint a)
            in (adjoint w :> [m][k]t, s :> [k]real, adjoint u :> [k][n]t)

  -- | The eigenvalues of a matrix that is its own adjoint, the least first, and a matrix with an
  -- orthonormal eigenvector for each in its columns.
  --
  -- **Work:** *O(n³)* for each of some ten sweeps. **Span:** *O(n ✕ log(n))* for each.
  def eigh [n] (a: [n][n]t) : ([n]real, [n][n]t) =
    -- Without negative eigenvalues, eigenvalues are singular values.
    let shift = R.maximum ([R.i64 0] ++ map (\row -> R.sum (map F.mag row)) a)
    let shifted = matadd a (matscale (F.from_real shift) (eye n))
    let (columns, v) = orthogonalise (transpose shifted) (eye n)
    let values = map2 (\x y -> R.(F.re (inner x y) - shift)) v columns
    let order = reverse (descending values)
    in (map (\j -> values[j]) order, transpose (map (\j -> v[j]) order))

  -- | The pseudo-inverse, by `svd`: of all `x` for which `a x` is nearest to `b`, `pinv a` times `b` is the
  -- shortest. Singular values that are only rounding errors count as zero.
  --
  -- **Work:** that of `svd`. **Span:** that of `svd`.
  def pinv [m] [n] (a: [m][n]t) : [n][m]t =
    let (u, s, w) = svd a
    let longest = i64.max m n
    let least = R.(epsilon * i64 longest * maximum ([i64 0] ++ s))
    let inverse =
      map (\x ->
        F.from_real (if R.(x > least) then R.(i64 1 / x) else R.i64 0)) s
    in matmul (map (map2 (F.*) inverse) (adjoint w)) (adjoint u)

  -- | How much errors of `b` grow in the solution of `a x = b` at most: the largest singular value divided
  -- by the least.
  --
  -- **Work:** that of `svd`. **Span:** that of `svd`.
  def cond [m] [n] (a: [m][n]t) : real =
    let (_, s, _) = svd a
    in if null s then R.i64 1 else R.(head s / last s)

  -- | The solution of `a x = b` by conjugate gradients, where `apply` is the product of `a` and a vector, as
  -- `sparse.smvm a` is, and how many products it took. The matrix must be its own adjoint, with positive
  -- eigenvalues. It ends when the error of `a x` is not longer than `b` times the tolerance, or after
  -- `most` products.
  --
  -- **Work:** *O(n + W(apply))* for each product. **Span:** *O(log(n) + S(apply))* for each.
  def conjugate_gradients
      [n]
      (apply: [n]t -> [n]t)
      (tolerance: real)
      (most: i64)
      (b: [n]t) : ([n]t, i64) =
    let square (xs: [n]t) : real = R.sum (map (\x -> R.(F.mag x * F.mag x)) xs)
    let plus (xs: [n]t) (c: real) (ys: [n]t) : [n]t =
      map2 (\x y -> x F.+ F.from_real c F.* y) xs ys
    let enough = R.(square b * tolerance * tolerance)
    let (x, _, _, _, steps) =
      loop (x, rest, way, size, steps) =
             (replicate n F.zero, b, b, square b, 0i64)
      while R.(size > enough) && steps < most do
        let image = apply way
        let far = R.(size / F.re (inner way image))
        let x = plus x far way
        let rest = plus rest (R.neg far) image
        let now = square rest
        in (x, rest, plus rest R.(now / size) way, now, steps + 1)
    in (x, steps)
}

-- | Linear algebra with real numbers of double precision.
module linalg = mk_linalg (real_field f64)

-- | Linear algebra with real numbers of single precision.
module linalg_f32 = mk_linalg (real_field f32)

-- | Linear algebra with complex numbers of double precision.
module linalg_c64 = mk_linalg c64

-- | Linear algebra with complex numbers of single precision.
module linalg_c32 = mk_linalg c32
