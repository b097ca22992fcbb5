-- Where rows must be of one length, their lengths are compared.
-- ==
-- entry: added
-- input { [2i64, 0i64] [2i64, 0i64] } output { [2i64, 0i64] }
-- input { [2i64, 0i64] [2i64, 1i64] } error: The size is 1, but 0 was expected
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry added [n] (lens: [n]i64) (other_lens: [n]i64) : [n]i64 =
  map i64.sum (map2 (map2 (+)) (map iota lens) (map iota other_lens))

-- ==
-- entry: update
-- input { 2i64 [7i64, 8i64] } output { [0i64, 7i64, 8i64] }
-- input { 2i64 [7i64] } error: The size is 1, but 2 was expected
-- input { 0i64 [7i64] } error: The size is 1, but 0 was expected
-- input { 0i64 empty([0]i64) } output { [0i64, 0i64, 1i64] }
entry update (i: i64) (row: []i64) : []i64 =
  irregular.flatten (map iota (iota 3) with [i] = row)

-- ==
-- entry: update_of_several
-- input { [0i64, 1i64] } output { [0i64, 0i64, 1i64] }
-- input { [1i64, 0i64] } error: row|size
entry update_of_several (lens: [2]i64) : []i64 =
  irregular.flatten (map iota (iota 3) with [0:2] = map iota lens)

-- ==
-- entry: reduced
-- input { [2i64, 2i64, 2i64] } output { [0i64, 3i64] }
-- input { [2i64, 2i64, 1i64] } error: The size is 1, but 2 was expected
entry reduced [n] (lens: [n]i64) : []i64 =
  reduce (\xs ys -> map2 (+) (xs :> [2]i64) (ys :> [2]i64))
         [0, 0]
         (map iota lens)

-- ==
-- entry: made_regular
-- input { [2i64, 2i64] } output { [[0i64, 1i64], [0i64, 1i64]] }
-- input { [2i64, 1i64] } error: row|size|assertion
entry made_regular [n] (lens: [n]i64) : [n][2]i64 =
  irregular.regular 2 (map iota lens)
