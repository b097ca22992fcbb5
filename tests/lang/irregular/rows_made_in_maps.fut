-- Each element of a map cuts an array of its own into rows: as many as all others, or a number of its own, in branches and in loops.
-- ==
-- entry: sums
-- input { 3i64 [2i64, 1i64] } output { [[1i64, 2i64], [3i64, 7i64], [6i64, 15i64]] }
-- input { 2i64 empty([0]i64) } output { empty([2][0]i64) }
-- input { 0i64 [2i64, 1i64] } output { empty([0][2]i64) }
entry sums [n] (k: i64) (lens: [n]i64) : [k][n]i64 =
  map (\i ->
    let own = map (+ i) lens
    in map i64.sum (segment own (iota (i64.sum own)))) (iota k)

-- Element `i` has rows of 0 to `i` elements.
def staircase (i: i64) : [][?]i64 =
  let lens = iota (i + 1)
  in segment lens (iota (i64.sum lens))

-- ==
-- entry: longest
-- input { 5i64 } output { [0i64, 0i64, 3i64, 15i64, 42i64] }
-- input { 0i64 } output { empty([0]i64) }
entry longest (k: i64) : [k]i64 =
  map (\i ->
    let rows = staircase i
    let long = filter (\row -> length row * 2 > i) rows
    in i64.sum (irregular.flatten long)) (iota k)

-- ==
-- entry: chosen
-- input { 6i64 } output { [1i64, 2i64, 3i64, 3i64, 5i64, 6i64] }
entry chosen (k: i64) : [k]i64 =
  map (\i ->
    let rows = if i % 3 == 0 then staircase (i * 2 / 3) else staircase i
    in length rows) (iota k)

-- ==
-- entry: repeated
-- input { 4i64 } output { [1i64, 5i64, 11i64, 19i64] }
-- input { 0i64 } output { empty([0]i64) }
entry repeated (k: i64) : [k]i64 =
  map (\i ->
    let rows =
      loop rows = staircase i for j < i do
        let all = irregular.flatten rows
        in segment (map (\l -> l % (j + 2)) (map length rows)
                    ++ [ length all
                         - i64.sum (map (\l -> l % (j + 2)) (map length rows))
                       ])
                   all
    in length rows + length (irregular.flatten rows) * 2) (iota k)

-- ==
-- entry: in_maps_of_maps
-- input { 2i64 3i64 } output { [[0i64, 0i64, 0i64], [0i64, 0i64, 2i64]] }
-- input { 3i64 4i64 } output { [[0i64, 0i64, 0i64, 0i64], [0i64, 0i64, 2i64, 7i64], [0i64, 2i64, 16i64, 50i64]] }
entry in_maps_of_maps (n: i64) (m: i64) : [n][m]i64 =
  let last_or_none row = if length row == 0 then 0 else last row
  in map (\i ->
    map (\j -> i64.sum (map last_or_none (staircase (i * j))))
        (iota m)) (iota n)
