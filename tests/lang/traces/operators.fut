-- What operators trace comes in the order of their elements, on every backend.
-- ==
-- entry: maps reductions choices writes
-- input { 6i64 } auto output
-- input { 0i64 } auto output

entry maps (n: i64) =
  let rows = map (\i -> map (\j -> #[trace(inner)] (i, j)) (iota i)) (iota n)
  let lengths = trace (map length rows)
  let cubes =
    map (\i ->
      map (\j -> map (\k -> #[trace(cube)] (i * 100 + j * 10 + k)) (iota 2))
          (iota 3)) (iota n)
  in (lengths, cubes)

entry reductions (n: i64) =
  let sum = reduce (\x y -> #[trace(plus)] (x + y)) 0 (iota n)
  let products = scan (\x y -> #[trace(times)] (x * y)) 1 (map (+ 1) (iota n))
  let sums = map (\r -> reduce (\x y -> trace (x + y)) 0 (iota r)) (iota n)
  let vectors = map (\i -> [i, 2 * i]) (iota n)
  let vector = reduce (\x y -> #[trace(vectors)] (map2 (+) x y)) [0, 0] vectors
  let prefixes = scan (\x y -> #[trace(prefixes)] (map2 (+) x y)) [0, 0] vectors
  in (sum, products, sums, vector, prefixes)

entry choices (n: i64) =
  let even = filter (\x -> #[trace(keep)] (x % 2 == 0)) (iota n)
  let (large, small) = partition (\x -> trace x > 2) (iota n)
  let rows = map (\i -> filter (\j -> #[trace(row)] (i != j)) (iota i)) (iota n)
  in (even, large, small, map length rows)

entry writes (n: i64) =
  let scattered =
    scatter (replicate 4 0)
            (map (\x -> #[trace(at)] (x * 2)) (iota n))
            (map (\x -> #[trace(value)] (x + 1)) (iota n))
  let counted =
    hist (+) 0 3 (map (\x -> #[trace(bin)] (x % 3)) (iota n)) (iota n)
  let combined =
    hist (\x y -> #[trace(combine)] (x + y)) 0 3 (map (% 3) (iota n)) (iota n)
  in (scattered, counted, combined)
