-- Operators whose elements take long to compute have many threads for them. They yield what they do otherwise.

def steps (i: i64) : i64 =
  (loop (x, c) = (i + 1, 0) while x != 1 do
     (if x % 2 == 0 then x / 2 else 3 * x + 1, c + 1)).1

def prime (n: i64) : bool =
  n > 1
  && (loop (d, ok) = (2, true) while ok && d * d <= n do (d + 1, n % d != 0)).1

-- ==
-- entry: sum
-- input { 0i64 } output { 0i64 -9223372036854775808i64 }
-- input { 10i64 } output { 67i64 19i64 }
-- compiled input { 3000i64 } output { 215063i64 216i64 }
entry sum (n: i64) : (i64, i64) =
  let xs = map steps (iota n) in (i64.sum xs, i64.maximum xs)

-- ==
-- entry: in_order
-- input { 10i64 } output { 230i64 }
-- compiled input { 3000i64 } output { 654i64 }
entry in_order (n: i64) : i64 =
  (reduce (\(a, b) (c, d) -> (a * c % 1009, (b * c + d) % 1009))
          (1, 0)
          (map (\i -> (i % 7 + 2, steps i)) (iota n))).1

-- ==
-- entry: scanned
-- input { 0i64 } output { 0i64 }
-- input { 10i64 } output { 2107i64 }
-- compiled input { 3000i64 } output { 1477525i64 }
entry scanned (n: i64) : i64 =
  i64.sum (map2 (\i x -> (i + 1) * x % 1009)
                (iota n)
                (opaque (scan (+) 0 (map steps (iota n)))))

-- ==
-- entry: floats
-- input { 0i64 } output { 0.0f32 }
-- input { 10i64 } output { 67.0f32 }
-- compiled input { 3000i64 } output { 215063.0f32 }
entry floats (n: i64) : f32 =
  f32.maximum (opaque (scan (+)
                            0
                            (map (\i -> f32.i64 (steps i)) (iota n))))
  |> f32.max 0

-- ==
-- entry: rows
-- input { 10i64 } output { 19508i64 }
-- compiled input { 100i64 } output { 42559010i64 }
entry rows (n: i64) : i64 =
  let scans =
    opaque (map (\i -> scan (+) 0 (map (\j -> steps (i * n + j)) (iota n)))
                (iota n))
  in i64.sum (map i64.sum scans)

-- ==
-- entry: filtered
-- input { 0i64 } output { 0i64 0i64 }
-- input { 20i64 } output { 8i64 77i64 }
-- compiled input { 3000i64 } output { 430i64 593823i64 }
entry filtered (n: i64) : (i64, i64) =
  let ps = filter prime (iota n) in (length ps, i64.sum ps)

-- ==
-- entry: partitioned
-- input { 0i64 } output { 0i64 0i64 }
-- input { 20i64 } output { 378i64 853i64 }
-- compiled input { 3000i64 } output { 174781115i64 6656133514i64 }
entry partitioned (n: i64) : (i64, i64) =
  let (ps, qs) = partition prime (iota n)
  in (i64.sum (map2 (*) ps (indices ps)), i64.sum (map2 (*) qs (indices qs)))
