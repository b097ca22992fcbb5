-- The quicksort of figure 1 of "Nested data-parallelism on the GPU" (Bergstrom and Reppy, 2012). The
-- parts that are less and greater are sorted in parallel; the equal ones are in order already.

def quicksort [n] (a: [n]i32) : []i32 =
  if n < 2
  then a
  else
    let p = a[n / 2]
    let lt = filter (\e -> e < p) a
    let eq = filter (\e -> e == p) a
    let gt = filter (\e -> e > p) a
    let r = map (\v -> quicksort v) [lt, gt]
    in r[0] ++ eq ++ r[1]

-- Here the equal part is sorted as well, as in the figure, so a constant array must be an end itself.
def quicksort_of_three [n] (a: [n]i32) : []i32 =
  if n < 2 || all (== a[0]) a
  then a
  else
    let p = a[n / 2]
    let r =
      map quicksort_of_three [filter (< p) a, filter (== p) a, filter (> p) a]
    in r[0] ++ r[1] ++ r[2]

-- ==
-- entry: sort sort_in_three
-- input { [31, -7, 45, 0, 12, -7, 99, 31, 8, -50, 23, 16, 4, 31, -1, 77] } output { [-50, -7, -7, -1, 0, 4, 8, 12, 16, 23, 31, 31, 31, 45, 77, 99] }
-- input { [1, 2, 3, 4, 5, 6, 7, 8] } output { [1, 2, 3, 4, 5, 6, 7, 8] }
-- input { [8, 7, 6, 5, 4, 3, 2, 1] } output { [1, 2, 3, 4, 5, 6, 7, 8] }
-- input { [5, 5, 5, 5, 5, 5] } output { [5, 5, 5, 5, 5, 5] }
-- input { [2147483647, -2147483648, 0] } output { [-2147483648, 0, 2147483647] }
-- input { [2, 1] } output { [1, 2] }
-- input { [7] } output { [7] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry sort (a: []i32) : []i32 = quicksort a

entry sort_in_three (a: []i32) : []i32 = quicksort_of_three a

def random_looking (n: i64) : [n]i32 =
  map (\i -> i32.i64 (i * 7919 % 1009 - 500)) (iota n)

def sorted [n] (a: [n]i32) : bool =
  and (map (\i -> i == 0 || a[i - 1] <= a[i]) (iota n))

-- Is the array sorted, how long is it, and what is the sum, which stays what it was?
-- ==
-- entry: many
-- input { 0i64 } output { true 0i64 true }
-- input { 1i64 } output { true 1i64 true }
-- input { 2i64 } output { true 2i64 true }
-- input { 3000i64 } output { true 3000i64 true }
entry many (n: i64) : (bool, i64, bool) =
  let a = random_looking n
  let b = quicksort a
  in (sorted b, length b, i32.sum b == i32.sum a)

-- An array that is in order, forwards and backwards, and one whose elements are all equal.
-- ==
-- entry: special
-- input { 0i64 } output { true true true }
-- input { 1i64 } output { true true true }
-- input { 1000i64 } output { true true true }
entry special (n: i64) : (bool, bool, bool) =
  let up = map i32.i64 (iota n)
  let same = replicate n 7
  in ( (quicksort up :> [n]i32) == up
     , (quicksort (reverse up) :> [n]i32) == up
     , (quicksort same :> [n]i32) == same
     )

-- Many arrays of different lengths are sorted at once.
-- ==
-- entry: many_arrays
-- input { [3i64, 0i64, 1i64, 4i64] [3, 1, 2, 7, 4, 4, -1, 0] }
-- output { [3i64, 0i64, 1i64, 4i64] [1, 2, 3, 7, -1, 0, 4, 4] }
-- input { empty([0]i64) empty([0]i32) } output { empty([0]i64) empty([0]i32) }
entry many_arrays [n] (lens: [n]i64) (xs: []i32) : ([n]i64, []i32) =
  let xss = map quicksort (segment lens xs)
  in (lengths xss, irregular.flatten xss)
