-- Loops in maps whose rows become shorter, or longer, by as much for each element: rows stay a regular array, whose size the host knows.
-- ==
-- tune @ apart.tune
-- entry: by_tails
-- input { 3i64 [[1, 2, 3, 4], [5, 7, 11, 13]] } output { [[20], [72]] } structure run { launches 4 waits 1 }
-- input { 0i64 [[1, 2, 3, 4], [5, 7, 11, 13]] } output { [[1, 2, 3, 4], [5, 7, 11, 13]] }
-- input { 2i64 empty([0][3]i32) } output { empty([0][1]i32) }
-- input { 4i64 [[1, 2, 3, 4]] } output { empty([1][0]i32) }

-- Sums of neighbours, again and again.
entry by_tails [n] [m] (steps: i64) (xss: [n][m]i32) : [n][m - steps]i32 =
  map (\xs ->
    let sums =
      loop ys = copy xs for _i < steps do map2 (+) (init ys) (tail ys)
    in sums :> [m - steps]i32) xss

-- The same with indices, for which there is nothing to check.
-- ==
-- entry: by_index
-- input { 3i64 [[1, 2, 3, 4], [5, 7, 11, 13]] } output { [[20], [72]] } structure run { launches 4 waits 1 }
-- input { 0i64 [[1, 2, 3, 4], [5, 7, 11, 13]] } output { [[1, 2, 3, 4], [5, 7, 11, 13]] }
-- input { 2i64 empty([0][3]i32) } output { empty([0][1]i32) }
-- input { 4i64 [[1, 2, 3, 4]] } output { empty([1][0]i32) }
entry by_index [n] [m] (steps: i64) (xss: [n][m]i32) : [n][m - steps]i32 =
  map (\xs ->
    let (sums, _) =
      loop (ys, k) = (copy xs, m) while k > m - steps do
        (tabulate (k - 1) (\i -> ys[i] + ys[i + 1]), k - 1)
    in sums :> [m - steps]i32) xss

-- Rows that double, all of them at once.
-- ==
-- entry: doubled
-- input { 2i64 [[1, 2], [3, 4]] } output { [16, 32] } structure run { launches 5 waits 1 }
-- input { 2i64 empty([0][3]i32) } output { empty([0]i32) }
entry doubled [n] [m] (steps: i64) (xss: [n][m]i32) : [n]i32 =
  map (\xs ->
    let ys = loop ys = copy xs for i < steps do ys ++ map (+ i32.i64 i) ys
    in i32.sum ys) xss

-- No element, and a loop that would have too few elements for its steps.
-- ==
-- entry: beyond
-- input { 5i64 empty([0][3]i32) } output { empty([0]i32) }
-- input { 2i64 [[1, 2, 3]] } output { [8] }
-- input { 5i64 [[1, 2, 3]] } error: slice
entry beyond [n] [m] (steps: i64) (xss: [n][m]i32) : [n]i32 =
  map (\xs ->
    i32.sum (loop ys = copy xs for _i < steps do
               map2 (+) (init ys) (tail ys))) xss
