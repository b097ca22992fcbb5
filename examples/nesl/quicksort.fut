-- # Quicksort
--
-- The program that shows NESL at its best, and the first figure of *Nested data-parallelism on the GPU* (Bergstrom and
-- Reppy, ICFP 2012). It is parallel in two ways: an array is split by comparing all of its elements at once, and the
-- parts are sorted at once, although one may be much longer than the other.
--
-- The parts are the rows of an irregular array, `[2][?]i64`, and the recursive call is in a `map` over it. Elements
-- equal to the pivot are in order already, so arrays with many equal elements are no special case.

def quicksort (xs: []i64) : []i64 =
  if length xs < 2
  then xs
  else
    let pivot = xs[length xs / 2]
    let less = filter (< pivot) xs
    let equal = filter (== pivot) xs
    let greater = filter (> pivot) xs
    let sorted = map quicksort [less, greater]
    in sorted[0] ++ equal ++ sorted[1]

-- ==
-- entry: sort
-- nobench input { [3i64, 1i64, -4i64, 1i64, 5i64, 9i64, 2i64, 6i64] } output { [-4i64, 1i64, 1i64, 2i64, 3i64, 5i64, 6i64, 9i64] }
-- nobench input { [2i64, 2i64, 2i64] } output { [2i64, 2i64, 2i64] }
-- nobench input { [7i64] } output { [7i64] }
-- nobench input { empty([0]i64) } output { empty([0]i64) }
-- "10000" notest script input { input 10000i64 }
-- "100000" notest script input { input 100000i64 }
-- "1000000" notest script input { input 1000000i64 }
entry sort [n] (xs: [n]i64) : [n]i64 = sized n (quicksort xs)

-- > sort [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64]

-- ## The numbers of the paper
--
-- It sorts 1,000,000 integers of 32 bits, chosen at random. Here a random number is the hash of its index.

def random (i: i64) : i64 =
  let x = u32.i64 i * 0x9e3779b9
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in i64.i32 (i32.u32 (x ^ (x >> 16)))

entry input (n: i64) : [n]i64 = tabulate n random

-- The prelude has a radix sort by a key. It gives the same result:

-- ==
-- entry: sorts
-- nobench input { 1000i64 } output { true }
-- nobench input { 0i64 } output { true }
entry sorts (n: i64) : bool =
  let xs = input n
  in and (map2 (==) (sort xs) (sort_by_key id xs))

-- > sorts 1000000i64

-- ## Sorting many arrays
--
-- Since the calls in a `map` run at the same time, nothing more is needed to sort many arrays at once. This yields the
-- median of each group, where groups may have any size but zero.

-- ==
-- entry: medians
-- nobench input { [3i64, 1i64, 4i64] [3i64, 1i64, 2i64, 7i64, 4i64, 4i64, -1i64, 0i64] } output { [2i64, 7i64, 4i64] }
-- nobench input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry medians [n] (sizes: [n]i64) (xs: []i64) : [n]i64 =
  map (\group ->
    let sorted = quicksort group
    in sorted[length sorted / 2]) (segment sizes xs)

-- > medians [3i64, 1i64, 4i64] [3i64, 1i64, 2i64, 7i64, 4i64, 4i64, -1i64, 0i64]

-- ## What flattening makes of it
--
-- Calls at the same depth are made together, so the program works from level to level on all parts that exist there.
-- The second figure of the paper writes this down. You do not have to write it, since the compiler does the same, but
-- it lets us watch.

def split_by_pivot (xs: []i64) : [3][?]i64 =
  let pivot = xs[length xs / 2]
  in [filter (< pivot) xs, filter (== pivot) xs, filter (> pivot) xs]

def next_level [m] (parts: [m][?]i64) : [][?]i64 =
  flatten (map split_by_pivot (filter (\part -> length part > 0) parts))

-- ==
-- entry: after_levels
-- nobench input { 0i64 [3i64, 1i64, 2i64, 0i64] } output { [3i64, 1i64, 2i64, 0i64] }
-- nobench input { 1i64 [3i64, 1i64, 2i64, 0i64] } output { [1i64, 0i64, 2i64, 3i64] }
-- nobench input { 2i64 [3i64, 1i64, 2i64, 0i64] } output { [0i64, 1i64, 2i64, 3i64] }
-- nobench input { 2i64 empty([0]i64) } output { empty([0]i64) }
entry after_levels [n] (levels: i64) (xs: [n]i64) : [n]i64 =
  let parts =
    loop (parts: [][?]i64) = segment [n] xs for _i < levels do
      next_level parts
  in sized n (irregular.flatten parts)

-- In the picture each line is the array at one level, from the numbers as they are given at the top to the sorted ones
-- at the bottom. The darker a point is, the smaller the number.

entry picture (n: i64) (levels: i64) (height: i64) : [levels * height][n]f32 =
  let xs = tabulate n random
  let shade x = (f32.i64 x + 2147483648) / 4294967296
  let (_, lines) =
    loop (parts: [][?]i64, lines) =
           (segment [n] xs, replicate levels (replicate n 0))
    for i < levels do
      let line = map shade (sized n (irregular.flatten parts))
      in (next_level parts, lines with [i] = line)
  in flatten (map (replicate height) lines)

-- > :brief :img picture 600i64 20i64 12i64;
-- alt: Columns of grey, in disorder in the first row, in larger and larger sorted parts further down, sorted at the bottom
