-- Rows of different lengths that are made after much else is done for each: all elements at once.
-- ==
-- entry: multiples
-- input { 30i64 [2i64, 3i64, 14i64, 20i64] } auto output
-- input { 30i64 empty([0]i64) } auto output
-- input { 100000i64 [2i64, 3i64, 50000i64, 7i64] } auto output
-- input { 30i64 [2i64, 0i64] } error: range

-- ==
-- entry: after_a_loop
-- input { [5i64, 0i64, 27i64, 1i64] } auto output

-- ==
-- entry: put_between
-- input { [10, 20, 30, 40] [0i64, 4i64, 2i64] } auto output
-- input { [10, 20, 30, 40] [0i64, 5i64] } error: slice

-- ==
-- entry: several
-- input { [1, 2, 3, 4] [3i64, 0i64, 4i64] } auto output
entry multiples (n: i64) (ps: []i64) : []i64 =
  irregular.flatten (map (\p -> 2 * p..3 * p..<n) (filter (\p -> 2 * p < n) ps))

entry after_a_loop (xs: []i64) : []i64 =
  let steps x =
    (loop (x, k) = (x, 0) while x > 1 do
       (if x % 2 == 0 then x / 2 else 3 * x + 1, k + 1)).1
  in irregular.flatten (map (\x -> replicate (steps x) (x * steps (x + 1))) xs)

entry put_between [n] (xs: [n]i32) (ps: []i64) : []i32 =
  irregular.flatten (map (\p -> xs[:p] ++ [i32.i64 p, 7] ++ xs[p:p] ++ xs[p:])
                         ps)

entry several [n] (xs: [n]i32) (ps: []i64) : []i32 =
  let part p =
    let from = loop i = 0 while i < p && xs[i] < 3 do i + 1
    in copy xs[from:p]
  in irregular.flatten (map part ps)
