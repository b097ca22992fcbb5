-- The operator of a reduction chooses one of two rows, and reads an element of it.
-- ==
-- input { [[5i64, 2i64], [1i64, 5i64], [3i64, 7i64]] } output { [1i64, 5i64] 6i64 }
-- input { [[5i64, 2i64]] } output { [5i64, 2i64] 7i64 }
-- input { empty([0][2]i64) } output { [1000i64, 1000i64] 2000i64 }
entry main [n] (rows: [n][2]i64) : ([2]i64, i64) =
  reduce (\(a, _) (b, _) ->
            let row = if a[0] <= b[0] then a else b
            in (row, row[0] + row[1]))
         (replicate 2 1000, 2000)
         (map (\row -> (row, row[0] + row[1])) rows)

-- ==
-- entry: wide
-- input { 10i64 0i64 } output { 1000i64 }
-- input { 10i64 1i64 } output { 7i64 }
-- input { 10i64 1000i64 } output { 0i64 }
entry wide (m: i64) (n: i64) : i64 =
  let rows = tabulate_2d n m (\i j -> (i * 37 + j + 7) % 991)
  let firsts = map (\row -> row[0]) rows
  let (_, s) =
    reduce (\(a, _) (b, _) ->
      let row = if a[0] <= b[0] then a else b
      in (row, row[0])) (replicate m 1000, 1000) (zip rows firsts)
  in s
