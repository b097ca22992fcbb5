-- # Pathfinder
--
-- The cheapest way through a grid from the first row to the last, where each step goes down, straight or to one side.
-- This is the Pathfinder program of Rodinia, one of the sixteen benchmarks of the Futhark paper (PLDI 2017).
--
-- It is dynamic programming: what the best way to a cell costs follows from the three cells above it. The rows come
-- one after the other, and all cells of a row are computed at once.

-- | What the cheapest ways to the cells of a row cost, from those of the row above. Beyond the sides there is nothing
-- new: the outermost cell counts twice.
def step [n] (above: [n]i32) (costs: [n]i32) : [n]i32 =
  let best j =
    above[j]
    `i32.min` above[i64.max 0 (j - 1)]
    `i32.min` above[i64.min (n - 1) (j + 1)]
  in map2 (\j cost -> cost + best j) (iota n) costs

-- | What the cheapest way to each cell of the last row costs.
-- ==
-- entry: cheapest
-- nobench input { [[1, 9, 9, 9], [9, 1, 9, 9], [9, 9, 1, 9]] } output { [11, 11, 3, 27] }
-- nobench input { [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 9], [3, 2, 3, 8, 4]] } output { [11, 10, 14, 19, 15] }
-- nobench input { [[4], [5], [6]] } output { [15] }
-- nobench input { empty([0][3]i32) } output { [0, 0, 0] }
-- "1,000" notest script input { grid 100i64 1000i64 }
-- "10,000" notest script input { grid 100i64 10000i64 }
-- "100,000" notest script input { grid 100i64 100000i64 }
entry cheapest [rows] [n] (grid: [rows][n]i32) : [n]i32 =
  loop above = replicate n 0 for costs in grid do step above costs

-- The way itself is found backwards, if the costs of all rows are kept.

def index_of_least [n] (xs: [n]i32) : i64 =
  let lesser (i, x) (j, y) = if y < x then (j, y) else (i, x)
  in (reduce lesser (0, i32.highest) (zip (iota n) xs)).0

-- | The columns of the cheapest way, from the first row to the last.
-- ==
-- entry: path
-- nobench input { [[1, 9, 9, 9], [9, 1, 9, 9], [9, 9, 1, 9]] } output { [0i64, 1i64, 2i64] }
-- nobench input { [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 9], [3, 2, 3, 8, 4]] }
-- output { [1i64, 1i64, 0i64, 1i64] }
entry path [rows] [n] (grid: [rows][n]i32) : [rows]i64 =
  let (table, _) =
    loop (table, above) = (replicate rows (replicate n 0), replicate n 0)
    for i < rows do
      let here = step above grid[i]
      in (table with [i] = here, here)
  let way = replicate rows 0
  in if rows == 0
     then way
     else
       let (way, _) =
         loop (way, (left, right)) = (way, (0, n))
         for i in rows - 1..rows - 2...0 do
           let column = left + index_of_least table[i, left:right]
           in ( way with [i] = column
              , (i64.max 0 (column - 1), i64.min n (column + 2))
              )
       in way

-- | Is what the cheapest way costs the sum of the cells on it?
-- ==
-- entry: path_costs_what_it_should
-- nobench script input { grid 20i64 30i64 } output { true }
-- nobench script input { grid 1i64 7i64 } output { true }
entry path_costs_what_it_should [rows] [n] (grid: [rows][n]i32) : bool =
  let along = map2 (\row column -> row[column]) grid (path grid)
  in i32.sum along == i32.minimum (cheapest grid)

-- The data set of the paper has 100,000 columns and Rodinia's 100 rows. The costs are digits.

-- | The `i`-th of a sequence of numbers that look random.
def random (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b1 + 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in x ^ (x >> 15)

entry grid (rows: i64) (n: i64) : [rows][n]i32 =
  tabulate_2d rows n (\i j -> i32.u32 (random (i * n + j) % 10))

-- A small grid, dark where it is cheap, and the cheapest way through it.

def cell_size : i64 = 4

entry picture [rows] [n] (grid: [rows][n]i32) : [][]u32 =
  let way = path grid
  let grey (cost: i32) : u32 = u32.i32 (50 + 20 * cost) * 0x010101
  let colour i j =
    0xff000000 | (if way[i] == j then 0xff8000 else grey grid[i, j])
  let pixel y x = colour (y / cell_size) (x / cell_size)
  in tabulate_2d (rows * cell_size) (n * cell_size) pixel

-- > :brief :img picture (grid 100i64 160i64);
-- alt: A grid in shades of grey, and a path through it from top to bottom in orange
