-- Neutral elements that are different for each row, of operators whose order matters: rows of equal and of different
-- lengths, short and long, and none.

def later (a: i32) (b: i32) : i32 =
  let worth x = if x < 0 then -1 else x % 17
  in if worth b >= worth a then b else a

def best [n] (start: i32) (xs: [n]i32) : i32 = reduce later start xs

def best_so_far [n] (start: i32) (xs: [n]i32) : [n]i32 = scan later start xs

-- The same one by one.

def best_in_order [n] (start: i32) (xs: [n]i32) : i32 =
  loop best = start for x in xs do later best x

def row (seed: i64) (n: i64) : [n]i32 =
  tabulate n (\i -> i32.i64 ((i * 7919 + seed * 104729) % 10007))

-- | Nothing is worth less.
def start (k: i64) : i32 = -1 - i32.i64 k

-- ==
-- entry: even
-- input { 0i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 4i64 7i64 } output { true }
-- input { 3i64 5003i64 } output { true }
-- input { 1000i64 33i64 } output { true }
entry even (rows: i64) (n: i64) : bool =
  let xss = tabulate rows (\k -> row k n)
  let found = tabulate rows (\k -> best (start k) xss[k])
  in and (map3 (\k xs x -> x == best_in_order (start k) xs)
               (iota rows)
               xss
               found)

-- ==
-- entry: first_of_row
-- input { 4i64 1i64 } output { true }
-- input { 3i64 5003i64 } output { true }
-- input { 1000i64 33i64 } output { true }
entry first_of_row (rows: i64) (n: i64) : bool =
  let xss = tabulate rows (\k -> row k n)
  let found = map (\xs -> best xs[0] xs) xss
  in and (map2 (\xs x -> x == best_in_order xs[0] xs) xss found)

-- ==
-- entry: uneven
-- input { [0i64, 0i64] } output { [-1i32, -2i32] true }
-- input { [3i64, 0i64, 1i64, 5000i64, 2i64] } output { [7919i32, -2i32, 9318i32, 5524i32, 6541i32] true }
-- input { empty([0]i64) } output { empty([0]i32) true }
entry uneven [n] (lengths: [n]i64) : ([n]i32, bool) =
  let number = zip (iota n) lengths
  let found = map (\(k, l) -> best (start k) (row k l)) number
  in ( found
     , and (map2 (\(k, l) x -> x == best_in_order (start k) (row k l))
                 number
                 found)
     )

-- ==
-- entry: sums_and_best
-- input { [3i64, 0i64, 1i64, 5000i64, 2i64] } output { true }
entry sums_and_best [n] (lengths: [n]i64) : bool =
  let number = zip (iota n) lengths
  let both (k, l) =
    let xs = row k l
    in (i32.sum xs, best (start k) xs)
  let one_by_one (k, l) =
    let xs = row k l
    in (loop s = 0 for x in xs do s + x, best_in_order (start k) xs)
  in and (map2 (==) (map both number) (map one_by_one number))

-- ==
-- entry: scans
-- input { 3i64 5003i64 } output { true }
-- input { 1000i64 33i64 } output { true }
-- input { 3i64 0i64 } output { true }
entry scans (rows: i64) (n: i64) : bool =
  let xss = tabulate rows (\k -> row k n)
  let found = tabulate rows (\k -> best_so_far (start k) xss[k])
  let in_order k =
    let (out, _) =
      loop (out, best) = (replicate n 0, start k)
      for i < n do
        let best = later best xss[k, i]
        in (out with [i] = best, best)
    in out
  in and (tabulate rows (\k -> and (map2 (==) found[k] (in_order k))))

-- ==
-- entry: uneven_scans
-- input { [3i64, 0i64, 1i64, 5000i64, 2i64] } output { true }
entry uneven_scans [n] (lengths: [n]i64) : bool =
  let number = zip (iota n) lengths
  let last (k, l) =
    let found = best_so_far (start k) (row k l)
    in if l == 0 then start k else found[l - 1] + found[l / 2]
  let in_order (k, l) =
    let xs = row k l
    in if l == 0
       then start k
       else best_in_order (start k) xs
            + best_in_order (start k) (take (l / 2 + 1) xs)
  in and (map2 (\a b -> a == b) (map last number) (map in_order number))

-- A function of rows that calls itself.

def halves (start: i32) (xs: []i32) : i32 =
  if length xs <= 4
  then best start xs
  else let middle = length xs / 2
       let parts =
         map (\side ->
           halves (start - 1)
                  (if side == 0 then take middle xs else drop middle xs)) [0, 1]
       in best xs[0] xs + i32.sum parts

-- ==
-- entry: recursion
-- input { 100i64 } output { 332020i32 }
entry recursion (n: i64) : i32 = halves (-17) (row 3 n)
