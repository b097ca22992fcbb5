-- Arrays as parameters of functions that call themselves in a thread.

-- Binary search, where the call is not the last deed.
-- ==
-- entry: found
-- input { [1i64, 4i64, 4i64, 9i64, 20i64, 33i64] [0i64, 4i64, 5i64, 33i64, 40i64] } output { [0i64, 1i64, 3i64, 5i64, 6i64] [3i64, 3i64, 3i64, 3i64, 2i64] }
-- input { empty([0]i64) [3i64] } output { [0i64] [0i64] }
def search [n] (xs: [n]i64) (x: i64) (lo: i64) (hi: i64) : (i64, i64) =
  if hi - lo < 1
  then (lo, 0)
  else let m = (lo + hi) / 2
       let (at, steps) =
         if xs[m] < x then search xs x (m + 1) hi else search xs x lo m
       in (at, steps + 1)

entry found [n] [m] (xs: [n]i64) (ys: [m]i64) : ([m]i64, [m]i64) =
  unzip (map (\y -> search xs y 0 n) ys)

-- A part of the array, another one in each call.
-- ==
-- entry: halves_of_rows
-- input { [[3i64, 1i64, 4i64, 1i64, 5i64], [9i64, 2i64, 6i64, 5i64, 3i64]] } output { [-40i64, 4i64] }
-- input { empty([2][0]i64) } output { [0i64, 0i64] }
def halves [n] (xs: [n]i64) (depth: i64) : i64 =
  if n == 0
  then 0
  else if n == 1
  then xs[0] * depth
  else halves xs[:n / 2] (depth + 1) - halves xs[n / 2:] (depth + 2)

entry halves_of_rows [n] [m] (xss: [n][m]i64) : [n]i64 =
  map (\xs -> halves xs 1) xss

-- A walk over a tree in arrays: children are found by their numbers.
-- ==
-- entry: walked
-- input { [1i64, 3i64, -1i64, -1i64, -1i64] [2i64, 4i64, -1i64, -1i64, -1i64] [5f32, 1f32, 2f32, 3f32, 4f32] [1f32, 2f32] } output { [-3.75f32, -1.5f32] }
def walk [n]
         (left: [n]i64)
         (right: [n]i64)
         (value: [n]f32)
         (at: i64)
         (x: f32) : f32 =
  if at < 0
  then 0
  else value[at] * x
       + walk left right value left[at] (x / 2)
       - walk left right value right[at] (x + 1)

entry walked [n] [m]
             (left: [n]i64)
             (right: [n]i64)
             (value: [n]f32)
             (xs: [m]f32) : [m]f32 =
  map (walk left right value 0) xs

-- Small arrays that are parameters and results.
-- ==
-- entry: rotated
-- input { 6i64 } output { [[0i64, 1i64, 2i64], [1i64, 4i64, 1i64], [-1i64, 6i64, 4i64], [4i64, 0i64, 5i64], [7i64, 14i64, -6i64], [-6i64, 20i64, 7i64]] }
def rotate (xs: [3]i64) (k: i64) : [3]i64 =
  if k == 0
  then xs
  else let ys = rotate [xs[1] + k, xs[2], xs[0]] (k - 1)
       in [ys[2], ys[0] * 2, ys[1] - xs[0]]

entry rotated (n: i64) : [n][3]i64 = tabulate n (\i -> rotate [i, 1, 2] i)

-- Arrays that are overwritten in place on the way down and back.
-- ==
-- entry: solutions
-- input { 6i64 } output { [1i64, 0i64, 0i64, 2i64, 10i64, 4i64] }
def solve [n] (board: *[n]i64) (row: i64) : (i64, *[n]i64) =
  if row == n
  then (1, board)
  else loop (count, board) = (0, board) for column < n do
         let free =
           loop free = true for i < row do
             free
             && board[i] != column
             && i64.abs (board[i] - column) != row - i
         in if free
            then let (more, board) = solve (board with [row] = column) (row + 1)
                 in (count + more, board)
            else (count, board)

entry solutions (n: i64) : [n]i64 =
  map (\i -> (solve (replicate (i + 1) 0) 0).0) (iota n)

-- ==
-- entry: heaps
-- input { 5i64 } output { [[4i64, 2i64, 5i64, 1i64, 6i64, 3i64, 7i64], [8i64, 4i64, 9i64, 2i64, 10i64, 5i64, 11i64], [12i64, 6i64, 13i64, 3i64, 14i64, 7i64, 15i64], [16i64, 8i64, 17i64, 4i64, 18i64, 9i64, 19i64], [20i64, 10i64, 21i64, 5i64, 22i64, 11i64, 23i64]] }
def heap [n] (xs: *[n]i64) (lo: i64) (hi: i64) (value: i64) : *[n]i64 =
  if hi <= lo
  then xs
  else let m = (lo + hi) / 2
       let xs = heap (xs with [m] = value) lo m (value * 2)
       in heap xs (m + 1) hi (value * 2 + 1)

entry heaps (n: i64) : [n][7]i64 =
  map (\i -> heap (replicate 7 0) 0 7 (i + 1)) (iota n)

-- One function yields arrays, the other numbers.
-- ==
-- entry: by_turns
-- input { 6i64 } output { [[1i64, 2i64, 3i64], [5i64, 6i64, 1i64], [14i64, 15i64, 2i64], [20i64, 21i64, 3i64], [50i64, 51i64, 4i64], [71i64, 72i64, 5i64]] [5i64, 14i64, 20i64, 50i64, 71i64, 164i64] }
def up (n: i64) : [3]i64 =
  if n == 0 then [1, 2, 3] else let s = down (n - 1) in [s, s + 1, n]
with def down (n: i64) : i64 =
  if n == 0 then 5 else let a = up (n - 1) in a[0] + a[1] * 2 + a[2] * 3

entry by_turns (n: i64) : ([n][3]i64, [n]i64) =
  (map up (iota n), map down (iota n))
