-- A loop of the host over short arrays is one launch, in which one group of threads does all iterations. If it decides by what it has computed whether it goes on, nobody waits for that.

-- ==
-- entry: rounds rounds_by_tables
-- input { 24i64 [1u32, 2u32, 3u32, 4u32, 5u32, 6u32, 7u32, 8u32, 9u32, 10u32, 11u32, 12u32, 13u32, 14u32, 15u32, 16u32, 17u32] }
-- output { [1474904716u32, 198396821u32, 3761917205u32, 2087983893u32, 3971761061u32, 2470027881u32, 2525382641u32, 2217481785u32, 1398655777u32, 4168621702u32, 4230112389u32, 2900433885u32, 2876263321u32, 1241127527u32, 2647455341u32, 1307960877u32, 1971603425u32] }
-- structure run { launches 1 waits 1 sent 0 received 0 }
entry rounds [n] (k: i64) (xs: [n]u32) : [n]u32 =
  loop xs for i < k do
    let all = reduce (^) 0 xs
    let ys = map2 (\x y -> x * 5 + (y ^ all)) xs (rotate 1 xs)
    in map (+ u32.i64 i) ys

entry rounds_by_tables [n] (k: i64) (xs: [n]u32) : [n]u32 =
  loop xs for i < k do
    let all = reduce (^) 0 xs
    in tabulate n (\j -> xs[j] * 5 + (xs[(j + 1) % n] ^ all) + u32.i64 i)

-- ==
-- entry: until_still
-- input { [[4f32, 1f32], [2f32, 3f32]] }
-- output { [0.70710677f32, 0.70710677f32] 5.0f32 } structure run { launches 4 waits 2 sent 0 received 8 }
entry until_still [n] (m: [n][n]f32) : ([n]f32, f32) =
  let (v, l, _) =
    loop (v, _l, change) = (replicate n 1, 0, 1) while change > 1e-6 do
      let w = map (\row -> f32.sum (map2 (*) row v)) m
      let size = f32.sqrt (f32.sum (map (** 2) w))
      let next = map (/ size) w
      in (next, size, f32.sum (map2 (\x y -> f32.abs (x - y)) next v))
  in (v, l)

-- Only numbers decide about the end: the host knows it before.
-- ==
-- entry: while_numbers_last
-- input { 40i64 [1i64, 2i64, 3i64] }
-- output { [9017i64, 1979i64, 4948i64] 0i64 } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { 0i64 [1i64, 2i64, 3i64] }
-- output { [1i64, 2i64, 3i64] 0i64 }
entry while_numbers_last [n] (k: i64) (xs: [n]i64) : ([n]i64, i64) =
  loop (xs, k) while k > 0 do
    let sum = i64.sum xs
    in ( map (\x -> (x * 7 + sum + k) % 10_007) xs
       , if k % 2 == 0 then k / 2 else k - 1
       )

-- In each step of the outer loop the host waits to know whether the inner one goes on, and once more.
-- ==
-- entry: inside_another
-- input { 3i64 [1f32, 2f32, 4f32] }
-- output { [0f32, 0f32, 0f32] 1i64 }
entry inside_another [n] (k: i64) (xs: [n]f32) : ([n]f32, i64) =
  loop (xs, steps) = (xs, 0) for _i < k do
    let ys = loop ys = xs while f32.sum ys > 0.5 do map (/ 2) ys
    in if f32.sum ys < 0.1 then (xs, steps) else (map f32.floor ys, steps + 1)

-- Nothing but an operator over three elements in each step, and no array.
-- ==
-- entry: path
-- input { [[3, 1, 2], [1, 5, 1], [4, 4, 0]] 0i64 } output { [1i64, 0i64, 0i64] } structure run { launches 2 waits 1 sent 24 received 0 }
entry path [n] [m] (costs: [n][m]i32) (start: i64) : [n]i64 =
  (loop (steps, at) = (replicate n 0, start) for i < n do
     let near = map (\d -> i64.max 0 (i64.min (m - 1) (at + d))) [-1, 0, 1]
     let (_, next) =
       reduce (\(a, i) (b, j) -> if a <= b then (a, i) else (b, j))
              (i32.highest, 0)
              (map (\j -> (costs[i, j], j)) near)
     in (steps with [i] = next, next)).0

-- How much a step on a grid changes decides whether there is another one.
-- ==
-- entry: spread
-- input { [[5, 0, 7], [0, 0, 3], [2, 2, 1]] } output { [[0, 0, 0], [0, 0, 0], [0, 0, 0]] 4i64 } structure run { launches 1 waits 1 }
entry spread [n] [m] (x: [n][m]i32) : ([n][m]i32, i64) =
  let (x, _, k) =
    loop (x, changes, k) = (x, true, 0) while changes do
      let next =
        tabulate_2d n m (\i j ->
          i32.min x[i, j] (i32.min x[(i + 1) % n, j] x[i, (j + 1) % m]))
      in (next, or (flatten (map2 (map2 (!=)) x next)), k + 1)
  in (x, k)

-- Few rows with many elements are not for one group.
-- ==
-- entry: few_long_rows
-- input { 3i64 9000i64 5i64 } output { [3000i64, 3000i64, 3000i64] } structure run { launches 8 waits 1 }
entry few_long_rows (n: i64) (m: i64) (times: i64) : [n]i64 =
  let lens = replicate n (m / n)
  let ends = scan (+) 0 lens
  let vals = map (\i -> i % n) (iota m)
  in loop x = replicate n 1 for _i < times do
       map2 (\e l ->
         i64.sum (map (\j -> i64.min 1 (x[vals[e - l + j]]))
                      (iota l))) ends lens
