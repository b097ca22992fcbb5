-- Cells with a few numbers each, one for each direction of a table: what is made element by element lies as those want it who read
-- cells, and loops and operators over tables are written out.

def across : [9]i64 = [0, 1, 0, -1, 0, 1, -1, -1, 1]
def down : [9]i64 = [0, 0, 1, 0, -1, 1, 1, -1, -1]
def weight : [9]f32 = [0.5] ++ replicate 4 0.25 ++ replicate 4 0.125 :> [9]f32
def opposite : [9]i64 = [0, 3, 4, 1, 2, 7, 8, 5, 6]
def around : [4](i64, i64) = [(-1, 0), (1, 0), (0, -1), (0, 1)]

def settle (f: [9]f32) : [9]f32 =
  let all = f32.sum f
  let x = f32.sum (map2 (\c v -> f32.i64 c * v) across f)
  let y = f32.sum (map2 (\c v -> f32.i64 c * v) down f)
  in tabulate 9 (\k ->
    f[k]
    + 0.5
      * (weight[k]
         * (all
            + f32.i64 across[k] * x
            + f32.i64 down[k] * y)
         - f[k]))

entry cells (n: i64) (m: i64) : ([n][m]bool, [n][m][9]f32) =
  ( tabulate_2d n m (\i j -> (i * 7 + j * 3) % 5 == 0)
  , tabulate_3d n m 9 (\i j k -> f32.i64 ((i * 31 + j * 17 + k * 5) % 64))
  )

-- ==
-- entry: streamed pulled
-- script input { cells 6i64 5i64 }
-- auto output
-- script input { cells 1i64 1i64 }
-- auto output
-- script input { cells 0i64 3i64 }
-- auto output
-- script input { cells 3i64 0i64 }
-- auto output
-- script input { cells 70i64 33i64 }
-- auto output
entry streamed [n] [m] (solid: [n][m]bool) (f: [n][m][9]f32) : [n][m][9]f32 =
  loop f for _t < 3i32 do
    let g = map (map settle) f
    in tabulate_2d n m (\i j ->
      tabulate 9 (\k ->
        let a = (i - down[k] + n) % n
        let b = (j - across[k] + m) % m
        in if solid[a, b]
           then g[i, j, opposite[k]]
           else g[a, b, k]))

-- The same in one map, and sums beside it.
entry pulled [n] [m]
             (solid: [n][m]bool)
             (f: [n][m][9]f32) : ([n][m][9]f32, [n][m]f32) =
  let step f =
    tabulate_2d n m (\i j ->
      settle (map (\k ->
        let a = (i - down[k] + n) % n
        let b = (j - across[k] + m) % m
        in if solid[a, b]
           then f[i, j, opposite[k]]
           else f[a, b, k]) (iota 9)))
  let f = iterate 3 step f
  in (f, map (map f32.sum) f)

-- A loop that goes through a table, and one whose number of steps is known that does not.
-- ==
-- entry: relaxed
-- input { 9i64 3i64 }
-- auto output
-- input { 1i64 2i64 }
-- auto output
-- input { 0i64 2i64 }
-- auto output
entry relaxed (n: i64) (steps: i64) : ([n][n]f32, [n][n]i64) =
  let at (i: i64) (j: i64) = f32.i64 ((i * 13 + j * 29) % 17)
  let xs = tabulate_2d n n at
  let step xs =
    tabulate_2d n n (\i j ->
      let (sum, count) =
        loop (sum, count) = (0, 0f32) for (di, dj) in around do
          let (a, b) = (i + di, j + dj)
          in if a < 0 || b < 0 || a >= n || b >= n
             then (sum, count)
             else (sum + xs[a, b], count + 1)
      in 0.5 * (xs[i, j] + sum / f32.max 1 count))
  let digits (i: i64) (j: i64) =
    loop d = i for k < 9 do d * 3 + across[(j + k) % 9]
  in (iterate (i32.i64 steps) step xs, tabulate_2d n n digits)
