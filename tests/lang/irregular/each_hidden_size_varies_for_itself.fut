def pairs [n] (is: [n]i64) : [n]([?]i64, [?]i64) =
  map (\i -> (iota i, iota i)) is

def of_record [n] (is: [n]i64) : [n]{row: [?]i64, size: i64} =
  map (\i -> {row = iota i, size = i}) is

def of_sum [n] (is: [n]i64) : [n](#some ([?]i64) | #none) =
  map (\i -> if i > 0 then #some (iota i) else #none) is

-- ==
-- entry: of_pairs
-- input { [0i64, 1i64, 3i64] } output { [0i64, 1i64, 3i64] [0i64, 1i64, 3i64] [0i64, 0i64, 1i64, 2i64] [0i64, 0i64, 1i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) }
entry of_pairs [n] (is: [n]i64) : ([n]i64, [n]i64, []i64, []i64) =
  let (xss, yss) = unzip (pairs is)
  in (lengths xss, lengths yss, irregular.flatten xss, irregular.flatten yss)

-- After a change to one of the two they differ in size.
def changed [n] (is: [n]i64) : [n]([?]i64, [?]i64) =
  map (\(xs, ys) -> (xs ++ [7], filter (> 0) ys)) (pairs is)

-- ==
-- entry: differ
-- input { [0i64, 1i64, 3i64] } output { [1i64, 2i64, 4i64] [0i64, 0i64, 2i64] }
entry differ [n] (is: [n]i64) : ([n]i64, [n]i64) =
  let sizes = map (\(xs, ys) -> (length xs, length ys)) (changed is)
  in unzip sizes

-- ==
-- entry: of_records
-- input { [0i64, 1i64, 4i64] } output { [0i64, 100i64, 406i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry of_records [n] (is: [n]i64) : [n]i64 =
  map (\r -> i64.sum r.row + 100 * r.size) (of_record is)

-- ==
-- entry: of_sums
-- input { [2i64, 0i64, -3i64, 5i64] } output { [2i64, -1i64, -1i64, 5i64] }
entry of_sums [n] (is: [n]i64) : [n]i64 =
  map (\s ->
    match s
    case #some row -> length row
    case #none -> -1) (of_sum is)
