-- What is done inside maps over rows of different lengths: each operator runs over all elements of all rows.
def lengths_up_to (n: i64) (longest: i64) : [n]i64 =
  tabulate n (\i -> (i * i * 31 + i * 7) % (longest + 1))

def rows (n: i64) (longest: i64) =
  map (\k -> tabulate k (\i -> i * 3 + k)) (lengths_up_to n longest)

def same [n] [m] (xs: [n]i64) (ys: [m]i64) : bool =
  n == m && and (map (\i -> xs[i] == ys[i]) (iota n))

-- ==
-- entry: maps
-- input { 700i64 9i64 } output { true }
-- input { 3i64 4000i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 40i64 0i64 } output { true }
entry maps (n: i64) (longest: i64) : bool =
  let all =
    irregular.flatten (map2 (\row i -> map (\x -> x * 2 + i) row)
                            (rows n longest)
                            (iota n))
  let expected =
    irregular.flatten
      (map2 (\k i -> tabulate k (\j -> (j * 3 + k) * 2 + i))
            (lengths_up_to n longest)
            (iota n))
  in same all expected

-- ==
-- entry: scans
-- input { 700i64 9i64 } output { true }
-- input { 3i64 4000i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 40i64 0i64 } output { true }
entry scans (n: i64) (longest: i64) : bool =
  let all = irregular.flatten (map (\row -> scan (+) 0 row) (rows n longest))
  let expected =
    irregular.flatten
      (map (\k -> tabulate k (\j -> 3 * (j * (j + 1) / 2) + k * (j + 1)))
           (lengths_up_to n longest))
  in same all expected

-- ==
-- entry: filters
-- input { 700i64 9i64 } output { true }
-- input { 3i64 4000i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 40i64 0i64 } output { true }
entry filters (n: i64) (longest: i64) : bool =
  let kept = map (\row -> filter (\x -> x % 2 == 0) row) (rows n longest)
  let lengths = map length kept
  let expected =
    map (\row -> i64.sum (map (\x -> i64.bool (x % 2 == 0)) row))
        (rows n longest)
  let sums = map i64.sum kept
  let expected_sums =
    map (\row -> i64.sum (map (\x -> if x % 2 == 0 then x else 0) row))
        (rows n longest)
  in and (map2 (==) lengths expected) && and (map2 (==) sums expected_sums)

-- ==
-- entry: partitions
-- input { 700i64 9i64 } output { true }
-- input { 3i64 4000i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 40i64 0i64 } output { true }
entry partitions (n: i64) (longest: i64) : bool =
  let parted =
    map (\row ->
      let (odd, even) = partition (\x -> x % 2 == 1) row
      in odd ++ even) (rows n longest)
  let one (row: []i64) =
    filter (\x -> x % 2 == 1) row ++ filter (\x -> x % 2 == 0) row
  in same (irregular.flatten parted)
          (irregular.flatten (map one (rows n longest)))

-- Rows that are joined, and several operators on the same rows.
-- ==
-- entry: joined
-- input { 700i64 9i64 } output { true }
-- input { 3i64 4000i64 } output { true }
-- input { 40i64 0i64 } output { true }
entry joined (n: i64) (longest: i64) : bool =
  let twice = map (\row -> row ++ [length row] ++ reverse row) (rows n longest)
  let means =
    map (\row ->
      let s = i64.sum row
      let t = map (\x -> x - s) row
      in i64.sum t + s) (rows n longest)
  let expected = map (\row -> 2 * i64.sum row + length row) (rows n longest)
  let expected_means =
    map (\row -> let s = i64.sum row in 2 * s - s * length row) (rows n longest)
  in and (map2 (==) (map i64.sum twice) expected)
     && and (map2 (==) means expected_means)

-- Rows of rows.
-- ==
-- entry: deep
-- input { 60i64 7i64 } output { true }
-- input { 2i64 90i64 } output { true }
-- input { 5i64 0i64 } output { true }
entry deep (n: i64) (longest: i64) : bool =
  let boxes =
    map (\k -> map (\j -> tabulate j (\i -> i + k)) (iota k))
        (lengths_up_to n longest)
  let sums = map (\box -> i64.sum (map i64.sum box)) boxes
  let expected k =
    i64.sum (map (\j -> j * (j - 1) / 2 + j * k) (iota k))
  in and (map2 (==) sums (map expected (lengths_up_to n longest)))
