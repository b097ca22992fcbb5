-- Lists go through all operators: reductions, histograms, filters and partitions make lists of lists, in the region of all of them.
type rec list = #nil | #cons i32 list

def join (v: list) (w: list) : list =
  match v
  case #nil -> w
  case #cons n l -> #cons n (join l w)

def sum (v: list) : i64 =
  match v
  case #nil -> 0
  case #cons n l -> i64.i32 n + sum l

def one (x: i32) : list = #cons x #nil

-- A loop of the host hands on a list that kernels make, and that other kernels use.
-- ==
-- entry: carried
-- input { [1, 2, 3, 4] } output { [86i64, 172i64, 258i64, 344i64] 86i64 }
-- input { empty([0]i32) } output { empty([0]i64) 0i64 }
entry carried [n] (us: [n]i32) : ([n]i64, i64) =
  let v =
    loop v = #nil for i < 3 do
      reduce join
             #nil
             (map (\u -> #cons (u + i32.i64 i) (if u % 2 == 0 then v else #nil))
                  us)
  in (map (\u -> i64.i32 u * sum v) us, sum v)

-- ==
-- entry: bins
-- input { [1, 2, 3, 4, 7] } output { [3i64, 12i64, 2i64] }
entry bins [n] (us: [n]i32) : []i64 =
  map sum (hist join #nil 3 (map (\u -> i64.i32 u % 3) us) (map one us))

-- ==
-- entry: parted
-- input { [1, 2, 3, 4] } output { [3i64, 4i64] [1i64, 2i64] [10i64, 6i64, 3i64, 1i64] [3i64, 4i64] }
entry parted [n] (us: [n]i32) : ([]i64, []i64, []i64, []i64) =
  let vs = map one us
  let (ls, rs) = partition (\v -> sum v > 2) vs
  let sums = map sum (scan join #nil vs)
  in ( map sum ls
     , map sum rs
     , reverse sums
     , map sum (filter (\v -> sum v > 2) vs)
     )

-- Lists of the caller go into kernels, and lists that kernels make go to the caller.
-- ==
-- entry: added
-- input { [1, 2] 5 } output { [6i64, 7i64] 13i64 }
entry make (x: i32) : list = #cons x (one x)

entry added [n] (us: [n]i32) (x: i32) : ([n]i64, i64) =
  let v = one x
  let vs = map (\u -> #cons u v) us
  in (map sum vs, sum (join vs[0] vs[n - 1]))
