-- | Sparse matrices: only elements that are not zero are stored and take time.
--
-- A matrix of type `csr` (compressed sparse rows) has for each row the columns and values of its
-- elements, from left to right. That is an irregular array, so what is not here is easily written: `map
-- (\row -> .. ) a.rows` works on all rows in parallel, in time proportional to the number of elements,
-- however unequal the rows are. A matrix in coordinates (COO) is three arrays: rows, columns and
-- values.
--
-- `sparse`@module has elements of type `f64` and `sparse_f32`@module of type `f32`; `mk_sparse`@module
-- makes a module for any other semiring (`/norn/field`). In the costs, *k* is the number of elements.

import "field"

-- | Sparse matrices with elements of a semiring.
module mk_sparse (S: semiring) = {
  type t = S.t

  -- | A matrix with `n` rows and `m` columns. In each row the columns are different and in ascending
  -- order. (`width` takes no memory.)
  type~ csr [n] [m] = {rows: [n][?](i64, t), width: [m]()}

  local def sum [n] (xs: [n]t) : t = reduce (S.+) S.zero xs

  -- From coordinates whose places are different and sorted by rows and columns.
  local def of_sorted [k]
                      (n: i64)
                      (m: i64)
                      (is: [k]i64)
                      (js: [k]i64)
                      (xs: [k]t) : csr [n] [m] =
    let counts = hist (+) 0 n is (replicate k 1i64)
    in {rows = segment counts (zip js xs), width = replicate m ()}

  -- | The matrix with these elements, in any order. Those at the same place are added. Fails if a place
  -- is outside.
  --
  -- **Work:** *O(n + k)*. **Span:** *O(log(n + k))*.
  def from_coo [k]
               (n: i64)
               (m: i64)
               (is: [k]i64)
               (js: [k]i64)
               (xs: [k]t) : csr [n] [m] =
    let inside =
      and (map2 (\i j -> i >= 0 && i < n && j >= 0 && j < m) is js)
    let keys = assert inside (map2 (\i j -> i * m + j) is js)
    let (keys, order) =
      unzip (sort_by_key (\(key, _) -> u64.i64 key) (zip keys (iota k)))
    let starts = filter (\i -> i == 0 || keys[i] != keys[i - 1]) (iota k)
    let l = length starts
    let ends =
      map (\s -> if s + 1 < l then starts[s + 1] else k) (indices starts)
    let total (start: i64) (end: i64) : t =
      loop x = xs[order[start]] for i in start + 1..<end do x S.+ xs[order[i]]
    in of_sorted n
                 m
                 (map (\s -> keys[s] / m) starts)
                 (map (\s -> keys[s] % m) starts)
                 (map2 total starts ends)

  -- | The rows, columns and values of the elements, sorted by rows and columns.
  --
  -- **Work:** *O(n + k)*. **Span:** *O(log(n))*.
  def to_coo [n] [m] (a: csr [n] [m]) : ?[k].([k]i64, [k]i64, [k]t) =
    let entries = irregular.flatten a.rows
    let k = length entries
    let (js, xs) = unzip (entries :> [k](i64, t))
    in (irregular.owners a.rows :> [k]i64, js, xs)

  -- | The matrix whose row `i` has the elements from `offsets[i]` up to, but not including, `offsets[i
  -- + 1]`, as in SciPy: `indptr`, `indices` and `data`. In each row the columns must be different and
  -- ascending, which is not checked.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def from_parts [n] [k]
                 (m: i64)
                 (offsets: [n + 1]i64)
                 (columns: [k]i64)
                 (values: [k]t) : csr [n] [m] =
    { rows =
        segment (map (\i -> offsets[i + 1] - offsets[i]) (iota n))
                (zip columns values)
    , width = replicate m ()
    }

  -- | What `from_parts` makes the matrix of.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def to_parts [n] [m] (a: csr [n] [m]) : ?[k].([n + 1]i64, [k]i64, [k]t) =
    let entries = irregular.flatten a.rows
    let (columns, values) = unzip entries
    in ([0] ++ scan (+) 0 (lengths a.rows) :> [n + 1]i64, columns, values)

  -- | The elements of a matrix that are not zero.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(log(n ✕ m))*.
  def from_dense [n] [m] (a: [n][m]t) : csr [n] [m] =
    { rows =
        map (\row -> filter (\(_, x) -> !(x S.== S.zero)) (zip (iota m) row)) a
    , width = replicate m ()
    }

  -- | All elements, with zeros.
  --
  -- **Work:** *O(n ✕ m)*. **Span:** *O(log(n))*.
  def to_dense [n] [m] (a: csr [n] [m]) : [n][m]t =
    let (is, js, xs) = to_coo a
    in unflatten (spread (n * m) S.zero (map2 (\i j -> i * m + j) is js) xs)

  -- | How many elements are stored.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def nnz [n] [m] (a: csr [n] [m]) : i64 = i64.sum (lengths a.rows)

  -- | The matrix with these elements on its diagonal.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def diag [n] (xs: [n]t) : csr [n] [n] =
    { rows = segment (replicate n 1) (zip (iota n) xs)
    , width = replicate n ()
    }

  -- | The identity.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def eye (n: i64) : csr [n] [n] = diag (replicate n S.one)

  -- | The element at a place, which is `zero` if nothing is stored there.
  --
  -- **Work:** *O(log(m))*. **Span:** *O(log(m))*.
  def get [n] [m] (i: i64) (j: i64) (a: csr [n] [m]) : t =
    let row = a.rows[i]
    let k = length row
    let (at, _) =
      loop (low, high) = (0, k) while low < high do
        let middle = (low + high) / 2
        in if row[middle].0 < j then (middle + 1, high) else (low, middle)
    in if at < k && row[i64.min at (k - 1)].0 == j then row[at].1 else S.zero

  -- | The matrix with a function applied to what is stored.
  --
  -- **Work:** *O(k)*. **Span:** *O(1)*.
  def map_stored [n] [m] (f: t -> t) (a: csr [n] [m]) : csr [n] [m] =
    {rows = map (\row -> map (\(j, x) -> (j, f x)) row) a.rows, width = a.width}

  -- | The matrix times a number.
  --
  -- **Work:** *O(k)*. **Span:** *O(1)*.
  def scale [n] [m] (s: t) (a: csr [n] [m]) : csr [n] [m] =
    map_stored (\x -> s S.* x) a

  -- | The matrix times a vector.
  --
  -- **Work:** *O(n + k)*. **Span:** *O(log(m))*.
  def smvm [n] [m] (a: csr [n] [m]) (x: [m]t) : [n]t =
    map (\row -> sum (map (\(j, e) -> e S.* x[j]) row)) a.rows

  -- | A vector times the matrix.
  --
  -- **Work:** *O(n + m + k)*. **Span:** *O(log(n))* if the columns are not too unequal.
  def vsmm [n] [m] (x: [n]t) (a: csr [n] [m]) : [m]t =
    let (is, js, es) = to_coo a
    in hist (S.+) S.zero m js (map2 (\i e -> x[i] S.* e) is es)

  -- | The matrix times a dense one.
  --
  -- **Work:** *O((n + k) ✕ l)*. **Span:** *O(log(m))*.
  def smdmm [n] [m] [l] (a: csr [n] [m]) (b: [m][l]t) : [n][l]t =
    map (\row ->
      tabulate l (\c ->
        loop s = S.zero for i < length row do
          let (j, e) = #[unsafe] row[i]
          in s S.+ e S.* b[j, c])) a.rows

  -- | The transpose.
  --
  -- **Work:** *O(n + m + k)*. **Span:** *O(log(n + m + k))*.
  def transpose [n] [m] (a: csr [n] [m]) : csr [m] [n] =
    let (is, js, xs) = to_coo a
    let order =
      map (.1) (sort_by_key (\(j, _) -> u32.i64 j) (zip js (indices js)))
    in of_sorted m
                 n
                 (map (\p -> #[unsafe] js[p]) order)
                 (map (\p -> #[unsafe] is[p]) order)
                 (map (\p -> #[unsafe] xs[p]) order)

  -- | The sum of two matrices.
  --
  -- **Work:** *O(n + k)*. **Span:** *O(log(n + k))*.
  def add [n] [m] (a: csr [n] [m]) (b: csr [n] [m]) : csr [n] [m] =
    let (is, js, xs) = to_coo a
    let (ps, qs, ys) = to_coo b
    in from_coo n m (is ++ ps) (js ++ qs) (xs ++ ys)

  -- | The product of two sparse matrices: all products of elements are sorted by their places and
  -- added.
  --
  -- **Work:** *O(n + p)* for *p* products of elements. **Span:** *O(log(n + p))*.
  def smsmm [n] [m] [l] (a: csr [n] [m]) (b: csr [m] [l]) : csr [n] [l] =
    let (is, ks, xs) = to_coo a
    let products =
      irregular.flatten (map3 (\i k x ->
                                 map (\(j, y) -> (i, j, x S.* y)) b.rows[k])
                              is
                              ks
                              xs)
    let p = length products
    let (rows, columns, values) = unzip3 (products :> [p](i64, i64, t))
    in from_coo n l rows columns values

  -- | The sum of each row.
  --
  -- **Work:** *O(n + k)*. **Span:** *O(log(m))*.
  def row_sums [n] [m] (a: csr [n] [m]) : [n]t =
    map (\row -> sum (map (.1) row)) a.rows

  -- | The sum of each column.
  --
  -- **Work:** *O(n + m + k)*. **Span:** *O(log(n))* if the columns are not too unequal.
  def column_sums [n] [m] (a: csr [n] [m]) : [m]t =
    let (_, js, xs) = to_coo a
    in hist (S.+) S.zero m js xs

  -- | The elements on the diagonal.
  --
  -- **Work:** *O(n ✕ log(m))*. **Span:** *O(log(m))*.
  def diagonal [n] [m] (a: csr [n] [m]) : [n]t =
    map (\i -> if i < m then get i i a else S.zero) (iota n)
}

-- | Sparse matrices of double precision.
module sparse = mk_sparse (numeric_semiring f64)

-- | Sparse matrices of single precision.
module sparse_f32 = mk_sparse (numeric_semiring f32)
