-- # What goes wrong is said where it happens

entry pick (xs: []i32) (i: i64) : i32 = xs[i]

def identity 'a (x: a) : a = x

-- > pick [1, 2, 3] 1

-- > pick [1, 2, 3] 7

-- > pick [1, 2, 3]

-- > pick 1 2 3

-- > nothing 1

-- > identity 1

-- > pick [1, 2

-- > :picture pick [1] 0

-- > :img pick [1] 0

-- > :img [[1, 2], [3, 4]];
-- name: a.png

-- > :img [[1, 2], [3, 4]];
-- file: ../a.png

-- > :plot2d ([1, 2], [1])

-- > :plot2d {a = ([1, 2], [1, 2], [1, 2])};
-- size: huge

-- > :video [1, 2];
-- fps: 0

-- > :video (pick [1], 0i64, 3i64)

-- > :audio true

-- > :text [1, 2]

-- > $loadimg "nowhere.png"
