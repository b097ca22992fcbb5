-- A reduction whose order matters, of the same elements as a scan: they are one kernel.
-- ==
-- entry: last_not_zero affine beside_floats three
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 300i64 } auto output
-- input { 4099i64 } auto output
-- input { 100000i64 } auto output

def compose (a: i64, b: i64) (c: i64, d: i64) =
  ((a * c) % 10007, (b * c + d) % 10007)

def last (a: i64) (b: i64) = if b == 0 then a else b

def numbers n = map (\i -> (i * 31 + 2) % 107) (iota n)

entry last_not_zero (n: i64) =
  let v = numbers n in (reduce last 0 v, scan (+) 0 v)

entry affine (n: i64) =
  let v = map (\i -> ((i * 31 + 2) % 10007, (i * 7 + 1) % 10007)) (iota n)
  in ((reduce compose (1, 0) v).1, map (.1) (scan compose (1, 0) v))

-- | Floats are scanned in three kernels.
entry beside_floats (n: i64) =
  let v = numbers n
  in (reduce last 0 v, scan (+) 0 (map (\x -> f64.i64 x) v))

-- | With a sum in any order, and what is computed for each.
entry three (n: i64) =
  let v = numbers n
  in (reduce last 0 v, reduce (+) 0 v, map (+ 1) v, scan i64.max 0 v)
