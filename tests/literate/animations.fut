-- # Animations

entry frames (n: i64) : [][][]bool =
  tabulate n (\t -> tabulate_2d 10 10 (\i j -> i == t && j == t))

-- > :video frames 8;
-- fps: 4

-- A function makes each frame from a state, and the next state.

type state = (i64, i64)

entry step (size: i64) ((y, x): state) : ([][]u32, state) =
  ( tabulate_2d size
                size
                (\i j -> if i == y && j == x then 0xff8000 else 0x202020)
  , (y + 1, x + 2)
  )

-- > :video (step 12i64, (0i64, 1i64), 5i64);
-- fps: 10
-- repeat: false

-- > :video (step 12i64, (0i64, 1i64), 5i64);
-- format: gif
-- file: steps.gif
