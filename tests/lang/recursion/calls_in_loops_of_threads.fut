-- A call in a loop needs the loop's state when it returns.

-- How many ways there are to write n as a sum of numbers up to k.
-- ==
-- entry: partitions
-- input { 12i64 } output { [1i64, 1i64, 2i64, 3i64, 5i64, 7i64, 11i64, 15i64, 22i64, 30i64, 42i64, 56i64] }
def ways (n: i64) (k: i64) : i64 =
  if n == 0
  then 1
  else loop sum = 0 for i < i64.min n k do sum + ways (n - i - 1) (i + 1)

entry partitions (n: i64) : [n]i64 = tabulate n (\i -> ways i i)

-- Queens that do not attack each other, as sets of bits.
-- ==
-- entry: queens
-- input { 7i64 } output { [1i64, 1i64, 0i64, 0i64, 2i64, 10i64, 4i64] }
def place (all: i32) (columns: i32) (left: i32) (right: i32) : i64 =
  if columns == all
  then 1
  else let (_, found) =
         loop (free, found) = (all & !(columns | left | right), 0)
         while free != 0 do
           let bit = free & -free
           in ( free & !bit
              , found
                + place all
                        (columns | bit)
                        ((left | bit) << 1)
                        ((right | bit) >> 1)
              )
       in found

entry queens (n: i64) : [n]i64 =
  tabulate n (\i -> place ((1 << i32.i64 i) - 1) 0 0 0)

-- In the condition of a loop, and loops in each other.
-- ==
-- entry: nested
-- input { 6i64 } output { [1i64, 1i64, 2i64, 4i64, 8i64, 16i64] }
def deep (n: i64) : i64 =
  if n <= 0
  then 1
  else let (_, sum) =
         loop (i, sum) = (0, 0) while deep (i - 4) + i < n do
           let row =
             loop row = sum for j < i + 1 do row + j * deep (n - i - j - 1)
           in (i + 1, row % 10007)
       in sum + n

entry nested (n: i64) : [n]i64 = tabulate n deep

-- Several calls in an iteration, one of which is not always made.
-- ==
-- entry: several
-- input { 7i64 } output { [17u32, 1042201148u32, 1973856974u32, 2883449831u32, 2014629994u32, 3825987671u32, 1160802730u32] [1i32, 2i32, 4i32, 9i32, 20i32, 39i32, 78i32] }
def walk (n: i32) (seed: u32) : (u32, i32) =
  loop (seed, steps) = (seed, 1) for i < n do
    let (seed, more) = walk i (seed * 1664525 + 1013904223)
    let (seed, others) =
      if seed % 3 == 0 then walk (i / 2) (seed ^ 5) else (seed, 0)
    in (seed, steps + more + others)

entry several (n: i64) : ([n]u32, [n]i32) =
  unzip (tabulate n (\i -> walk (i32.i64 i) 17))
