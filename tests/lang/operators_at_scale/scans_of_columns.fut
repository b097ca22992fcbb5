-- Running sums down the columns of row-major matrices: with few columns and many, few rows and many.

def number (i: i64) : i64 = (i * 7919 + 13) % 10007

def matrix (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> number (i * m + j) - 5000)

-- Which sums stand where.
def digest [n] [m] (xss: [n][m]i64) : i64 =
  i64.sum (flatten (map2 (\i xs ->
                            map2 (\j x -> x * (i % 13 + 1) * (j % 7 + 1))
                                 (iota m)
                                 xs)
                         (iota n)
                         xss))

entry rows (n: i64) (m: i64) : [n][m]i64 =
  scan (map2 (+)) (replicate m 0) (matrix n m)
-- ==
-- entry: rows
-- input { 3i64 9i64 } output { [[-4987i64, 2932i64, 844i64, -1244i64, -3332i64, 4587i64, 2499i64, 411i64, -1677i64], [-8752i64, 7086i64, 2910i64, -1266i64, -5442i64, 389i64, 6220i64, 2044i64, -2132i64], [-11295i64, 2455i64, 6198i64, -66i64, -6330i64, -2587i64, 11163i64, 4899i64, -1365i64]] }
-- input { 1i64 8i64 } output { [[-4987i64, 2932i64, 844i64, -1244i64, -3332i64, 4587i64, 2499i64, 411i64]] }
-- input { 0i64 8i64 } output { empty([0][8]i64) }
-- input { 2i64 0i64 } output { empty([2][0]i64) }

entry sums (n: i64) (m: i64) : i64 =
  digest (scan (map2 (+)) (replicate m 0) (matrix n m))
-- ==
-- entry: sums
-- input { 1000i64 7i64 } output { 441297999i64 }
-- input { 1000i64 8i64 } output { 538607731i64 }
-- input { 3001i64 10i64 } output { 10670510134i64 }
-- input { 100i64 65i64 } output { 67678780i64 }
-- input { 40i64 300i64 } output { 61283786i64 }

-- Columns as rows, that stay columns.
entry turned (n: i64) (m: i64) : i64 =
  digest (map (scan i64.max i64.lowest) (transpose (matrix n m)))
-- ==
-- entry: turned
-- input { 1000i64 10i64 } output { 1086764295i64 }

-- An operator that is not commutative, of two columns, after a map.
entry affine (n: i64) (m: i64) : (i64, i64) =
  let compose (f: (i64, i64)) (g: (i64, i64)) =
    (f.0 * g.0 % 1009, (f.1 * g.0 + g.1) % 1009)
  let fss = map (map (\x -> (1 + x % 7, x % 1009))) (matrix n m)
  let (ass, bss) =
    unzip (map unzip (transpose (map (scan compose (1, 0)) (transpose fss))))
  in (digest ass, digest bss)
-- ==
-- entry: affine
-- input { 1000i64 12i64 } output { 149147797i64 150387004i64 }

entry floats (n: i64) (m: i64) : i64 =
  digest (map (map i64.f64)
              (scan (map2 (+))
                    (replicate m 0)
                    (map (map (\x -> f64.i64 x / 2)) (matrix n m))))
-- ==
-- entry: floats
-- input { 1000i64 33i64 } output { 776432433i64 }

-- More dimensions.
entry deep (n: i64) (m: i64) (k: i64) : i64 =
  let xsss = tabulate n (\i -> map (map (+ i)) (matrix m k))
  in digest (map (map i64.sum)
                 (scan (map2 (map2 (+))) (replicate m (replicate k 0)) xsss))
-- ==
-- entry: deep
-- input { 200i64 3i64 5i64 } output { -3601260i64 }
