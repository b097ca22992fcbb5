def pairs [n] (is: [n]i64) : [n]([?]i64, [?]i64) =
  map (\i -> (iota i, iota i)) is

def of_record [n] (is: [n]i64) : [n]{row: [?]i64, size: i64} =
  map (\i -> {row = iota i, size = i}) is

def of_sum [n] (is: [n]i64) : [n](#some ([?]i64) | #none) =
  map (\i -> if i > 0 then #some (iota i) else #none) is
