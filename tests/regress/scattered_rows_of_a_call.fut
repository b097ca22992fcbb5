-- A function that is not inlined returns a row with its length, and its elements are scattered by one thread each: the length comes with the
-- row.
-- ==
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] 1i64 }
-- output { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] }
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] -1i64 }
-- output { [[3i32, 4i32, 1i32, 4i32], [7i32, 8i32, 5i32, 8i32]] }
-- input { empty([0][4]i32) 1i64 } output { empty([0][4]i32) }

#[noinline]
def joined [n] [m] (xs: [n]i32) (ys: [m]i32) : ?[d].[d]i32 = xs ++ ys

entry main [n] [m] (rows: [n][m]i32) (by: i64) : [n][m]i32 =
  map (\row ->
         let values = joined row[i64.min 1 m:] row[:i64.min 1 m] :> [m]i32
         in scatter (copy row) (map (+ by) (iota m)) values)
      rows
