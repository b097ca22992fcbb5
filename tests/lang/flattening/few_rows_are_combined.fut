-- Few matrices are added up, each of which is large: a sum for each of their elements, wherever the matrices come from.
-- ==
-- entry: life life_by_index
-- input { 1i64 [[false, true, false, false], [false, true, false, false], [false, true, false, false], [false, false, false, false]] }
-- output { [[false, false, false, false], [true, true, true, false], [false, false, false, false], [false, false, false, false]] }
-- input { 2i64 [[false, true, false, false], [false, true, false, false], [false, true, false, false], [false, false, false, false]] }
-- output { [[false, true, false, false], [false, true, false, false], [false, true, false, false], [false, false, false, false]] }

def rule (alive: bool) (n: i32) : bool = n == 3 || (alive && n == 2)

def places : [8](i64, i64) =
  [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

-- | The board, turned in all directions.
entry life [h] [w] (steps: i64) (board: [h][w]bool) : [h][w]bool =
  let step (now: [h][w]bool) =
    let count = map (map i32.bool) now
    let neighbours =
      map (\(dy, dx) -> map (rotate dx) (rotate dy count)) places
      |> reduce (map2 (map2 (+))) (replicate h (replicate w 0))
    in map2 (map2 rule) now neighbours
  in iterate (i32.i64 steps) step board

-- | The same for each cell.
entry life_by_index [h] [w] (steps: i64) (board: [h][w]bool) : [h][w]bool =
  let step (now: [h][w]bool) =
    tabulate_2d h w (\y x ->
      let neighbours =
        i32.sum (map (\(dy, dx) -> i32.bool now[(y + dy) % h, (x + dx) % w])
                     places)
      in rule now[y, x] neighbours)
  in loop board for _i < steps do step board

-- ==
-- entry: products
-- input { 3i64 4i64 } output { [[0i64, 6i64, 24i64, 60i64], [60i64, 120i64, 210i64, 336i64], [336i64, 504i64, 720i64, 990i64]] }
entry products (n: i64) (m: i64) : [n][m]i64 =
  reduce (map2 (map2 (*)))
         (replicate n (replicate m 1))
         (map (\k -> tabulate_2d n m (\i j -> i * 3 + j + k)) [0, 1, 2])
