-- A part of an array becomes what a map makes of that array. Where a map reads only its own element, or what is not written, it can work in place; in all
-- other cases the old elements are needed until the end.

-- The steps of a factorisation: a row in front, and a matrix beside it.
-- ==
-- entry: eliminated eliminated_first
-- input { [[2f64, 1f64, 1f64], [4f64, 3f64, 3f64], [8f64, 7f64, 9f64]] }
-- output { [[2f64, 1f64, 1f64], [2f64, 1f64, 1f64], [4f64, 3f64, 2f64]] }
-- input { empty([0][0]f64) }
-- output { empty([0][0]f64) }
-- input { [[3f64]] }
-- output { [[3f64]] }
entry eliminated [n] (a0: [n][n]f64) : [n][n]f64 =
  loop a = copy a0
  for k < n do
    let rest = n - k - 1
    let column = map (/ a[k, k]) (a[k + 1:, k] :> [rest]f64)
    let a = a with [k + 1:, k] = column
    let row = copy (a[k, k + 1:] :> [rest]f64)
    let part = copy (a[k + 1:, k + 1:] :> [rest][rest]f64)
    in a with [k + 1:, k + 1:] =
           map2 (\l -> map2 (\u x -> x - l * u) row) column part

entry eliminated_first [n] (a0: [n][n]f64) : [n][n]f64 =
  loop a = copy a0
  for k < n do
    let rest = n - k - 1
    let column = map (/ a[k, k]) (a[k + 1:, k] :> [rest]f64)
    let row = copy (a[k, k + 1:] :> [rest]f64)
    let part =
      map2 (\l -> map2 (\u x -> x - l * u) row)
           column
           (a[k + 1:, k + 1:] :> [rest][rest]f64)
    let a = a with [k + 1:, k] = column
    in a with [k + 1:, k + 1:] = part

-- The row in front is one that is written, too.
-- ==
-- entry: by_first_row
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- output { [[2i64, 4i64], [4i64, 6i64], [6i64, 8i64]] }
entry by_first_row [n] [m] (a0: [n][m]i64) : [n][m]i64 =
  let a = copy a0
  let new = map (map2 (+) a[0]) a
  in a with [:, :] = new

-- Neighbours, in front and behind.
-- ==
-- entry: from_behind from_front by_numbers
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [1i64, 3i64, 5i64, 7i64, 9i64] }
entry from_behind [n] (a0: [n]i64) : [n]i64 =
  let a = copy a0
  in a with [1:] = map2 (+) (a[1:] :> [n - 1]i64) (a[:n - 1] :> [n - 1]i64)

entry from_front [n] (a0: [n]i64) : [n]i64 =
  let a = copy (reverse a0)
  let a =
    a with [:n - 1] = map2 (+) (a[1:] :> [n - 1]i64) (a[:n - 1] :> [n - 1]i64)
  in reverse a

entry by_numbers [n] (a0: [n]i64) : [n]i64 =
  let a = copy a0
  in a with [1:n] = tabulate (n - 1) (\i -> a[i] + a[i + 1])

-- By its number, each element reads its own place, or that of another.
-- ==
-- entry: own_by_number
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [1i64, 2i64, 6i64, 8i64, 5i64] }
entry own_by_number [n] (a0: [n]i64) : [n]i64 =
  let a = copy a0
  in a with [2:4] = tabulate 2 (\i -> 2 * a[i + 2])

-- ==
-- entry: mirrored
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [5i64, 4i64, 3i64, 2i64, 1i64] }
entry mirrored [n] (a0: [n]i64) : [n]i64 =
  let a = copy a0
  in a with [:] = tabulate n (\i -> a[n - 1 - i])

-- Rows that are looked at as a whole before they are written, and rows that are not one's own.
-- ==
-- entry: scaled
-- input { [[1i64, 2i64], [3i64, 4i64]] }
-- output { [[3i64, 6i64], [21i64, 28i64]] }
entry scaled [n] [m] (a0: [n][m]i64) : [n][m]i64 =
  let a = copy a0
  in a with [:, :] = map (\row -> let sum = i64.sum row in map (* sum) row) a

-- ==
-- entry: by_sums_of_next
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- output { [[7i64, 14i64], [33i64, 44i64], [15i64, 18i64]] }
entry by_sums_of_next [n] [m] (a0: [n][m]i64) : [n][m]i64 =
  let a = copy a0
  in a with [:, :] =
         tabulate n (\i -> let sum = i64.sum a[(i + 1) % n] in map (* sum) a[i])

-- ==
-- entry: transposed
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] }
-- output { [[2i64, 6i64, 10i64], [6i64, 10i64, 14i64], [10i64, 14i64, 18i64]] }
entry transposed [n] (a0: [n][n]i64) : [n][n]i64 =
  let a = copy a0
  in a with [:, :] = map2 (map2 (+)) a (transpose a)

-- Two rows become sums and differences of both.
-- ==
-- entry: crossed
-- input { [[1i64, 2i64], [3i64, 5i64]] 0i64 1i64 }
-- output { [[4i64, 7i64], [-2i64, -3i64]] }
-- input { [[1i64, 2i64], [3i64, 5i64]] 1i64 1i64 }
-- output { [[1i64, 2i64], [0i64, 0i64]] }
entry crossed [n] [m] (a0: [n][m]i64) (p: i64) (q: i64) : [n][m]i64 =
  let a = copy a0
  let sums = map2 (+) a[p] a[q]
  let differences = map2 (-) a[p] a[q]
  let a = a with [p] = sums
  in a with [q] = differences

-- Every other element, and columns.
-- ==
-- entry: strided
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [10i64, 2i64, 30i64, 4i64, 50i64] }
entry strided [n] (a0: [n]i64) : [n]i64 =
  let a = copy a0
  in a with [0:n:2] = map (* 10) a[0:n:2]

-- ==
-- entry: interior
-- input { [[1i64, 1i64, 1i64], [1i64, 2i64, 1i64], [1i64, 1i64, 9i64]] }
-- output { [[1i64, 1i64, 1i64], [1i64, 4i64, 1i64], [1i64, 1i64, 9i64]] }
entry interior [n] [m] (a0: [n][m]i64) : [n][m]i64 =
  loop a = copy a0
  for _i < 1 do
    let new =
      tabulate_2d (n - 2) (m - 2) (\i j ->
        a[i, j + 1] + a[i + 2, j + 1] + a[i + 1, j] + a[i + 1, j + 2])
    in a with [1:n - 1, 1:m - 1] = new

-- Somebody looks at the old rows after the map, and before the update.
-- ==
-- entry: looked_at_between
-- input { [1i64, 2i64, 3i64] }
-- output { [2i64, 4i64, 6i64] 6i64 }
entry looked_at_between [n] (a0: [n]i64) : ([n]i64, i64) =
  let a = copy a0
  let new = map (* 2) a
  let sum = i64.sum a
  in (a with [:] = new, sum)

-- The slice is refused before anything is written.
-- ==
-- entry: refused
-- input { [1i64, 2i64, 3i64] 1i64 3i64 }
-- output { [1i64, 4i64, 6i64] }
-- input { [1i64, 2i64, 3i64] 2i64 4i64 }
-- error:
entry refused [n] (a0: [n]i64) (from: i64) (to: i64) : [n]i64 =
  let a = copy a0
  let new = tabulate (to - from) (\i -> 2 * a0[(i + from) % n])
  in a with [from:to] = new

-- The map also yields what was there before.
-- ==
-- entry: old_parts_too
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] 1i64 }
-- output { [[1i64, 2i64, 3i64], [5i64, 6i64, 7i64], [8i64, 9i64, 10i64]] [[4i64, 5i64], [7i64, 8i64]] }
entry old_parts_too [n] [m] (a: *[n][m]i64) (k: i64) : ([n][m]i64, [][]i64) =
  let (new, old) =
    unzip (map (\row ->
      let first = row[0:2]
      in (map (+ 1) row, first)) a[k:])
  in (a with [k:] = new, old)
