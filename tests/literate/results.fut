-- # Results as text
--
-- Comments at the start of a line are *Markdown*. What a program computes stands below the directive that asks for it.

entry add (x: i32) (y: i32) : i32 = x + y

-- > add 1 2

-- | Documentation becomes text, too.
-- ==
-- entry: squares
-- input { 3i64 } output { [0i64, 1i64, 4i64] }
entry squares (n: i64) : []i64 =
  -- A comment inside of a definition is code.
  map (\i -> i * i) (iota n)

-- Long arrays go on several lines, and longer ones are cut off.
--
-- > squares 50
-- > squares 1000
--
-- Text may stand below a directive if an empty line is between.

type point = {x: f32, y: f32}

entry make (x: f32) (y: f32) : point = {x, y}

entry table (n: i64) (m: i64) : [][]f64 =
  tabulate_2d n m (\i j -> f64.i64 i + f64.i64 j / 10)

-- > make 1 2

-- > (make 1 2).y

-- > table 4 12

-- > let p = make 3 4
--   let s = squares 3
--   in (p.x, s, {a = true})

-- Definitions that are no entry points can be named, too.

def greeting : []u8 = "Hello!\nHow are you?"

-- > :text greeting

-- The directive itself can be left out.

-- > :covert add 20 22
