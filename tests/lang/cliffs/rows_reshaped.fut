-- Rows whose elements do not follow each other in memory, as one row: all rows are copied first, with a thread for each element.

-- ==
-- tune @ apart.tune
-- entry: channels channels_by_number channels_of_slices
-- input { [[[[1f32, 2f32], [3f32, 4f32]], [[5f32, 6f32], [7f32, 8f32]]], [[[1f32, 1f32], [1f32, 1f32]], [[2f32, 2f32], [2f32, 2f32]]]] }
-- output { [14.0f32, 34.0f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry channels [n] [c] [h] [w] (images: [n][c][h][w]f32) : [c]f32 =
  map (\channel -> f32.sum (flatten_3d channel)) (transpose images)

entry channels_by_number [n] [c] [h] [w] (images: [n][c][h][w]f32) : [c]f32 =
  tabulate c (\i -> f32.sum (flatten_3d images[:, i]))

entry channels_of_slices [n] [c] [h] [w] (images: [n][c][h][w]f32) : [c]f32 =
  map (\i -> reduce (+) 0 (flatten (flatten images[:, i]))) (iota c)

-- Two levels inside, and twice the same row.
-- ==
-- entry: squares
-- input { [[[[1f32, 2f32], [3f32, 4f32]], [[5f32, 6f32], [7f32, 8f32]]], [[[1f32, 1f32], [1f32, 1f32]], [[2f32, 2f32], [2f32, 2f32]]]] }
-- output { [[5.0f32, 5.0f32], [0.0f32, 0.0f32]] } structure run { launches 3 waits 1 sent 0 received 0 }
entry squares [n] [c] [h] [w] (images: [n][c][h][w]f32) : [n][c]f32 =
  map (\image ->
    map (\channel ->
      let xs = flatten (transpose channel)
      let mean = f32.sum xs / f32.i64 (h * w)
      in f32.sum (map (\x -> (x - mean) * (x - mean)) xs)) image) images

-- Columns that become matrices: nothing is copied.
-- ==
-- entry: traces traces_by_index
-- input { [[1, 10], [2, 20], [3, 30], [4, 40]] }
-- output { [5i32, 50i32] } structure run { launches 1 waits 1 sent 0 received 0 }
entry traces [k] (xs: [2 * 2][k]i32) : [k]i32 =
  map (\column ->
    let m = unflatten column
    in i32.sum (map (\i -> m[i, i]) (iota 2))) (transpose xs)

entry traces_by_index [k] (xs: [2 * 2][k]i32) : [k]i32 =
  tabulate k (\j -> i32.sum (map (\i -> xs[i * 2 + i, j]) (iota 2)))

-- A row that is overwritten is reshaped where it is.
-- ==
-- entry: overwritten
-- input { [[1, 10, 5, 2], [2, 20, 6, 1]] }
-- output { [[7i32, 10i32, 7i32, 2i32], [7i32, 20i32, 7i32, 1i32]] }
entry overwritten [n] (xs: *[n][2 * 2]i32) : [n][2 * 2]i32 =
  map (\row ->
    let m = copy (unflatten row) with [:, 0] = replicate 2 7
    in flatten m) xs

-- What kernels make is not copied to have another shape: patches of an image as rows of a matrix, and its product with another.
-- ==
-- entry: patches patches_by_number
-- input { [[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]], [[1f32, 0f32, 1f32], [0f32, 1f32, 0f32], [1f32, 0f32, 1f32]]] [[[1f32, 0f32], [0f32, 1f32]], [[0f32, 1f32], [1f32, 0f32]]] }
-- output { [[[[6.0f32, 8.0f32], [12.0f32, 14.0f32]], [[6.0f32, 8.0f32], [12.0f32, 14.0f32]]], [[[2.0f32, 0.0f32], [0.0f32, 2.0f32]], [[0.0f32, 2.0f32], [2.0f32, 0.0f32]]]] } structure run { launches 2 waits 1 sent 0 received 0 }
entry patches [n] [s] [k]
              (images: [n][s][s]f32)
              (filters: [k][2][2]f32) : [n][k][][]f32 =
  let t = s - 1
  in map (\image ->
    let rows =
      flatten (tabulate_2d t t (\i j ->
        flatten (image[i:i + 2, j:j + 2] :> [2][2]f32)))
    in map (\f ->
      unflatten (map (\row -> f32.sum (map2 (*) row (flatten f)))
                     rows)) filters) images

entry patches_by_number
    [n] [s] [k]
    (images: [n][s][s]f32)
    (filters: [k][2][2]f32) : [n][k][][]f32 =
  let t = s - 1
  in map (\image ->
    let rows =
      flatten (tabulate t (\i ->
        tabulate t (\j ->
          flatten (tabulate_2d 2 2 (\a b -> image[i + a, j + b])))))
    in map (\f ->
      unflatten (map (\row -> f32.sum (map2 (*) row (flatten f)))
                     rows)) filters) images

-- Parts of rows.
-- ==
-- entry: halves halves_by_slices
-- input { [[[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]], [[1f32, 1f32], [2f32, 2f32], [3f32, 3f32]]] }
-- output { [3.0f32, 2.0f32] [18.0f32, 10.0f32] } structure run { launches 2 waits 1 sent 0 received 0 }
entry halves [n] [m] [k] (xsss: [n][m][k]f32) : ([n]f32, [n]f32) =
  unzip (map (\xss ->
    ( f32.sum (flatten (take (m / 2) xss))
    , f32.sum (flatten (drop (m / 2) xss))
    )) xsss)

entry halves_by_slices [n] [m] [k] (xsss: [n][m][k]f32) : ([n]f32, [n]f32) =
  ( map (\xss -> f32.sum (flatten xss[:m / 2])) xsss
  , map (\xss -> f32.sum (flatten xss[m / 2:])) xsss
  )

-- What a map assembles.
-- ==
-- entry: twice
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- output { [[1i32, 2i32, 3i32, 4i32, 1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32, 5i32, 6i32, 7i32, 8i32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry twice [n] [m] [k] (xsss: [n][m][k]i32) : [n][]i32 =
  map (\xss -> flatten (xss ++ xss)) xsss

-- What is reduced of all elements that maps make is not stored, in threads or outside.
-- ==
-- entry: windows
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[21f32, 27f32, 33f32], [30f32, 36f32, 42f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry windows [n] [m] (a: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    let at k l =
      a[i64.max 0 (i64.min (n - 1) (i + k - 1)),
        i64.max 0 (i64.min (m - 1) (j + l - 1))]
    in f32.sum (flatten (tabulate_2d 3 3 at)))

-- ==
-- entry: farthest
-- input { [0f32, 3f32, 1f32] [2f32, 5f32] } output { 5f32 }
entry farthest [n] [m] (xs: [n]f32) (ys: [m]f32) : f32 =
  map (\x -> map (\y -> x - y) ys) xs |> flatten |> map f32.abs |> f32.maximum

-- ==
-- entry: best
-- input { [0f32, 3f32, 1f32] [2f32, 5f32] } output { 5f32 1i64 }
-- input { empty([0]f32) [2f32, 5f32] } output { -1f32 -1i64 }
-- input { [0f32, 3f32, 1f32] empty([0]f32) } output { -1f32 -1i64 }
entry best [n] [m] (xs: [n]f32) (ys: [m]f32) : (f32, i64) =
  tabulate_2d n m (\i j -> (f32.abs (xs[i] - ys[j]), i * m + j))
  |> flatten
  |> reduce (\(a, i) (b, j) ->
               if a > b || (a == b && i < j) then (a, i) else (b, j))
            (-1, -1)
