-- A sort is an operation like others: rows are sorted at the same time, long and short ones, regular or not.
-- ==
-- entry: rows
-- input { [[3, 1, 2], [9, 7, 8], [1, 1, 0]] } output { [[1, 2, 3], [7, 8, 9], [0, 1, 1]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }

-- ==
-- entry: columns
-- input { [[3, 1], [2, 5], [1, 3]] } output { [[1, 1], [2, 3], [3, 5]] }

-- ==
-- entry: medians
-- input { 100i64 101i64 } output { true }
-- input { 3i64 2001i64 } output { true }

-- ==
-- entry: of_different_lengths
-- input { 60i64 } output { true }

-- ==
-- entry: in_a_loop
-- input { [5, 3, 9, 1] 3i32 } output { [1, 3, 5, 9] }

entry rows [n] [m] (xss: [n][m]i32) = map sort xss

entry columns [n] [m] (xss: [n][m]i32) = transpose (map sort (transpose xss))

-- | The middle of each row, and where in the row it was.
entry medians (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> f64.i64 ((i * 31 + j * 40503) % 65537))
  let middle xs = (sort xs)[m / 2]
  let middle_of_places xs = xs[(sort_by_key (\i -> xs[i]) (iota m))[m / 2]]
  in and (map (\xs -> middle xs == middle_of_places xs) xss)

entry of_different_lengths (n: i64) : bool =
  let rows: [n][?]i64 =
    map (\i -> map (\j -> j * 7919 % 101) (iota (i * i))) (iota n)
  let sorted = map sort rows
  let pairs (count: i64) = iota (i64.max 0 (count - 1))
  in all (\row -> all (\i -> row[i] <= row[i + 1]) (pairs (length row))) sorted
     && map length rows == map length sorted

entry in_a_loop [n] (xs: [n]i32) (k: i32) : [n]i32 =
  map (\x -> x - k) (loop xs for _i < k do map (+ 1) (sort xs))
