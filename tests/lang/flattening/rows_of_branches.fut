-- Rows of different lengths that branches yield: made, or there already.

def rows [n] (lens: [n]i64) : [n][?]i64 =
  map (\l -> map (\i -> i * 7 % (l + 3)) (iota l)) lens

-- ==
-- entry: made_or_there
-- input { [3i64, 0i64, 5i64, 1i64] }
-- output { [3i64, 0i64, 4i64, 1i64] [0i64, 1i64, 2i64, 9i64, 8i64, 7i64, 6i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- input { [9i64] } output { [6i64] [9i64, 11i64, 6i64, 13i64, 8i64, 10i64] }
entry made_or_there (lens: []i64) : ([]i64, []i64) =
  let rs =
    map (\xs -> if length xs < 4 then xs else filter (> 4) (map (+ 2) xs))
        (rows lens)
  in (map length rs, irregular.flatten rs)

-- Three branches, one of which yields nothing.

-- ==
-- entry: three
-- input { [3i64, 0i64, 5i64, 1i64, 6i64, 7i64] }
-- output { [3i64, 0i64, 5i64, 1i64, 0i64, 14i64] }
-- input { [4i64, 8i64, 12i64] } output { [4i64, 0i64, 0i64] }
entry three (lens: []i64) : []i64 =
  let rs =
    map (\xs ->
      if length xs < 6
      then xs
      else if length xs % 2 == 0
      then []
      else xs ++ reverse xs) (rows lens)
  in map length rs

-- In rows of rows.

-- ==
-- entry: deeper
-- input { [3i64, 0i64, 2i64] } output { [32i64, 0i64, 6i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry deeper (lens: []i64) : []i64 =
  map (\l ->
    let rs =
      map (\i ->
        let xs = map (+ i) (iota (l + i))
        in if i % 2 == 0 then xs else xs[1:]) (iota l)
    in i64.sum (irregular.flatten rs)) lens

-- What a branch consumes is no row that is there.

-- ==
-- entry: overwritten
-- input { [3i64, 0i64, 5i64, 6i64] } output { [3i64, 0i64, 122i64, 124i64] }
entry overwritten (lens: []i64) : []i64 =
  let rs =
    map (\xs ->
      let ys = copy xs
      in if length xs < 4 then ys else ys with [0] = 100) (rows lens)
  in map i64.sum rs

-- Several columns, and other types.

-- ==
-- entry: columns
-- input { [3i64, 0i64, 5i64, 6i64] } output { [3i32, 0i32, 27i32, 30i32] [3i64, 0i64, 4i64, 4i64] }
entry columns (lens: []i64) : ([]i32, []i64) =
  let rs =
    map (\xs ->
      let ys = map i32.i64 xs
      let bs = map (> 2) xs
      in if length xs < 4
         then (ys, bs)
         else (map (+ 1) ys, filter id bs)) (rows lens)
  in (map (\(ys, _) -> i32.sum ys) rs, map (\(_, bs) -> length bs) rs)

-- Selection by two recursive calls: all rows go on together, and launches grow with the depth of the longest.

def select (k: i64) (xs: []i64) : i64 =
  let pivot = xs[length xs / 2]
  let less = filter (< pivot) xs
  let greater = filter (> pivot) xs
  let before = length xs - length greater
  in if k < length less
     then select k less
     else if k < before
     then pivot
     else select (k - before) greater

def quicksort (xs: []i64) : []i64 =
  if length xs < 2
  then xs
  else
    let pivot = xs[length xs / 2]
    let sorted = map quicksort [filter (< pivot) xs, filter (> pivot) xs]
    in sorted[0] ++ filter (== pivot) xs ++ sorted[1]

def numbers [n] (lens: [n]i64) : [n][?]i64 =
  map (\l -> map (\i -> (i * 7919 + l * 104729) % 10007) (iota l)) lens

-- ==
-- entry: medians
-- input { [1i64, 2i64, 100i64, 37i64, 64i64] } output { true }
-- structure run { launches 264 waits 122 sent 0 received 969 }
-- input { empty([0]i64) } output { true }
entry medians (lens: []i64) : bool =
  let found = map (\xs -> select (length xs / 2) xs) (numbers lens)
  let expected =
    map (\xs ->
      let sorted = quicksort xs in sorted[length sorted / 2]) (numbers lens)
  in and (map2 (==) found expected)
