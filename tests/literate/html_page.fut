-- # A page in *one* file
--
-- Text with `code`, **strong words**, [a link](https://futhark-lang.org) and 1 < 2.
--
-- - an item
-- - another, with a longer
--   second line
--
-- | n | n² |
-- |---|---|
-- | 2 | 4 |
--
-- ```norn
-- def f x = x + 1
-- ```

-- Code is highlighted.

def scale (k: f64) (n: i64) : [][]f64 =
  -- Rows and columns.
  tabulate_2d n n (\i j -> if i > j then 0 else k * f64.i64 j)

type shape = #circle f64 | #square f64

def text : []u8 = "1 < 2 & \"so on\""

-- > scale 1.5 2

-- > :img scale 0.1f64 10

-- > :plot2d ([0, 1, 2], [0.5, 4, 2]);
-- size: (300,200)

-- > :text text

-- > scale 1
