-- The elements of an array in a value of a recursive type are copied when the value is made, from whatever layout; what is taken out of
-- such a value can be used for longer than the value is there.
-- ==
-- entry: layouts
-- input { 4i64 } output { [22i64, 36i64, 75i64, 4i64, 4i64] }
-- input { 0i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64] }

-- ==
-- entry: outlives
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }

-- ==
-- entry: long
-- input { 3000i64 } output { 13495500i64 }

-- ==
-- entry: small_elements
-- input { 5i64 } output { [true, false, true, false, true] 10i8 }

type rec store =
    #none
  | #row ([]i64) store
  | #rows ([][]i64) store
  | #matrix ([][3]i64) store
  | #flags ([]bool) ([]i8) store

def total (s: store) : i64 =
  match s
  case #none -> 0
  case #row xs rest -> i64.sum xs + total rest
  case #rows xss rest -> i64.sum (map i64.sum xss) + total rest
  case #matrix xss rest -> i64.sum (map i64.sum xss) + total rest
  case #flags bs xs rest ->
    i64.sum (map i64.bool bs) + i64.sum (map i64.i8 xs) + total rest

entry layouts (n: i64) : [5]i64 =
  let m = tabulate_2d n 3 (\i j -> i * 3 + j)
  let t = transpose (tabulate_2d 3 n (\i j -> i + j))
  let rows = map iota (iota n)
  in [ total (#row (m[:, 1]) (#row (iota n)[n:] #none))
     , total (#matrix t (#row (iota n) #none))
     , total (#matrix m[::2] (#matrix m[n / 2:] #none))
     , total (#rows rows #none)
     , total (#rows rows[n / 2:] (#rows rows[:n / 2] #none))
     ]

entry outlives (n: i64) : []i64 =
  let s: store = #row (iota n) #none
  in match s case #row xs _ -> xs case _ -> []

entry long (n: i64) : i64 =
  total (loop s = #none for i < 3 do #row (map (+ 0) (iota n)) s)

entry small_elements (n: i64) : ([]bool, i8) =
  let s: store =
    #flags (map (\i -> i % 2 == 0) (iota n)) (map i8.i64 (iota n)) #none
  in match s case #flags bs xs _ -> (bs, i8.sum xs) case _ -> ([], 0)
