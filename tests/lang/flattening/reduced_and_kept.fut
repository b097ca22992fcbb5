-- Rows that are reduced and yielded at once, as fusion puts it: the sum of a row and the row, a scan and a sum of it, of rows of one length or of
-- different lengths.

def softmax [m] (xs: [m]f64) : [m]f64 =
  let most = f64.maximum xs
  let es = map (\x -> f64.exp (x - most)) xs
  in map (/ f64.sum es) es

-- ==
-- entry: softmaxes
-- input { [[0f64, 0], [1, 1]] } output { [[0.5f64, 0.5], [0.5, 0.5]] }
-- input { [[0f64], [5]] } output { [[1f64], [1]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }
-- input { empty([3][0]f64) } output { empty([3][0]f64) }
entry softmaxes [n] [m] (xss: [n][m]f64) : [n][m]f64 = map softmax xss

-- ==
-- entry: kept
-- input { [[1i64, 2, 3], [4, 5, 6]] } output { [[2i64, 5, 10], [17, 26, 37]] [17i64, 80] [6i64, 15] }
-- input { empty([2][0]i64) } output { empty([2][0]i64) [0i64, 0] [0i64, 0] }
entry kept [n] [m] (xss: [n][m]i64) : ([n][m]i64, [n]i64, [n]i64) =
  unzip3 (map (\xs ->
    let ys = map (\x -> x * x + 1) xs in (ys, i64.sum ys, i64.sum xs)) xss)

-- ==
-- entry: scanned
-- input { [[1i64, 2, 3], [4, 5, 6]] } output { [[1i64, 3, 6], [4, 9, 15]] [3i64, 6] [[2i64, 4, 6], [8, 10, 12]] }
-- input { empty([1][0]i64) } output { empty([1][0]i64) [-9223372036854775808i64] empty([1][0]i64) }
entry scanned [n] [m] (xss: [n][m]i64) : ([n][m]i64, [n]i64, [n][m]i64) =
  unzip3 (map (\xs -> (scan (+) 0 xs, i64.maximum xs, map (* 2) xs)) xss)

-- ==
-- entry: uneven
-- input { [3i64, 0, 1, 2] } output { [3i64, 0, 0, 1] [0i64, 1, 2, 0, 0, 1] [5i64, 0, 0, 1] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) }
entry uneven [n] (lengths: [n]i64) : ([n]i64, []i64, [n]i64) =
  let (sums, rows, squares) =
    unzip3 (map (\k ->
      let is = iota k
      let ys = map (\i -> opaque i) is
      in (i64.sum ys, ys, i64.sum (map (\y -> y * y) ys))) lengths)
  in (sums, irregular.flatten rows, squares)

def large (i: i64) : f64 = f64.i64 (i * 7919 % 1009) / 1009

-- ==
-- entry: at_scale
-- input { 3i64 20000i64 } output { true }
-- input { 20000i64 3i64 } output { true }
-- input { 300i64 300i64 } output { true }
entry at_scale (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> large (i * m + j))
  let close (xs: []f64) = f64.abs (f64.sum xs - 1) < 1e-9
  in all close (map softmax xss)
     && all (\xs ->
       let c = scan (+) 0 xs
       let s = f64.sum xs
       in f64.abs (c[m - 1] - s) < 1e-6 * (1 + s)) xss
