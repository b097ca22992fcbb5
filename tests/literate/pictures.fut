-- # Pictures

def shade (n: i64) : [][]f32 =
  tabulate_2d n n (\i j -> f32.i64 (i * j) / f32.i64 ((n - 1) * (n - 1)))

-- > :img shade 24

def board : [8][8]bool = tabulate_2d 8 8 (\i j -> (i + j) % 2 == 0)

-- > :img board;
-- file: board.png

-- Pixels are 0xAARRGGBB, and what they let shine through is not looked at.

def colours (n: i64) : [][]u32 =
  tabulate_2d n
              n
              (\i j -> u32.i64 ((255 * i / n) << 16 | (255 * j / n) << 8 | 128))

-- > :brief :img colours 20;
-- file: colours.png

-- What is read is shown as it is.

-- > :img $loadimg "data/dot.png"

def bytes (n: i64) : [][]u8 = tabulate_2d n n (\i j -> u8.i64 (i * 16 + j))

-- > :covert :img bytes 16

-- # Alternative texts
--
-- The first sentence above a picture stands for it. The second, as this one, does not.

-- > :img bytes 2

-- A text that is given is taken, brackets included.

-- > :brief :img bytes 3;
-- alt: Nine shades [of grey]
