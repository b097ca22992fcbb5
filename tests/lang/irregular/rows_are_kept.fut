-- Operators that keep rows of different lengths: few long ones among many short ones, and rows that the function makes.

def rows (n: i64) : [n][?]i64 =
  map (\i -> tabulate (i * 7 % 5) (\j -> i * 10 + j)) (iota n)

def parts [n] (xss: [n][?]i64) : ([]i64, []i64) =
  (lengths xss, irregular.flatten xss)

-- ==
-- entry: filtered
-- input { 5i64 } output { [4i64, 3i64] [20i64, 21i64, 22i64, 23i64, 40i64, 41i64, 42i64] }
-- input { 1i64 } output { empty([0]i64) empty([0]i64) }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
entry filtered (n: i64) : ([]i64, []i64) =
  parts (filter (\xs -> length xs > 2) (rows n))

-- With a number beside each row.
-- ==
-- entry: numbered
-- input { 5i64 } output { [1i64, 3i64] [2i64, 1i64] [10i64, 11i64, 30i64] }
entry numbered (n: i64) : ([]i64, []i64, []i64) =
  let (is, xss) =
    unzip (filter (\(i, xs) -> i % 2 == 1 && length xs > 0)
                  (zip (iota n) (rows n)))
  let (lens, all) = parts xss
  in (is, lens, all)

-- ==
-- entry: parted
-- input { 5i64 } output { [2i64, 1i64, 3i64] [0i64, 4i64] [10i64, 11i64, 30i64, 40i64, 41i64, 42i64, 20i64, 21i64, 22i64, 23i64] }
entry parted (n: i64) : ([]i64, []i64, []i64) =
  let (a, b) = partition (\xs -> i64.sum xs % 3 == 0 && length xs > 0) (rows n)
  let (as, xs) = parts a
  let (bs, ys) = parts b
  in (as, bs, xs ++ ys)

-- Rows that are asked for by their numbers.
-- ==
-- entry: asked_for
-- input { 5i64 [4i64, 0i64, 4i64, 1i64] } output { [3i64, 0i64, 3i64, 2i64] [40i64, 41i64, 42i64, 40i64, 41i64, 42i64, 10i64, 11i64] }
-- input { 5i64 [4i64, 5i64] } error: 5
entry asked_for [m] (n: i64) (is: [m]i64) : ([]i64, []i64) =
  let xss = rows n
  in parts (map (\i -> xss[i]) is)

-- Rows as long as somebody says, and their sum in the same pass.
-- ==
-- entry: as_long
-- input { [2i64, 0i64, 3i64] } output { 5i64 [2i64, 0i64, 3i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { [2i64, -1i64] } error: The size -1 is negative
entry as_long [n] (lens: [n]i64) : (i64, []i64, []i64) =
  let (ls, all) = parts (map iota lens)
  in (i64.sum lens, ls, all)
