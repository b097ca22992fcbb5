def replace [n] (xss: *[n][?]i64) (yss: [2][?]i64) : *[n][?]i64 =
  xss with [0:2] = yss

def replace_part [n] (xss: *[n][?]i64) (i: i64) : *[n][?]i64 =
  xss with [i, 0:2] = [1, 2]

def increment [n] (xss: *[n][?]i64) : *[n][?]i64 =
  loop xss for i < n do
    let row = map (+ 1) xss[i]
    in xss with [i] = row

def parts [n] (xss: [n][?]i64) : ([n]i64, []i64) =
  (lengths xss, irregular.flatten xss)

-- ==
-- entry: replaced
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] [3i64, 2i64] [0i64, -1i64, -2i64, -3i64, -4i64] } output { [3i64, 2i64, 4i64] [0i64, -1i64, -2i64, -3i64, -4i64, 6i64, 7i64, 8i64, 9i64] }
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] [2i64, 3i64] [0i64, -1i64, -3i64, -4i64, -5i64] } error:
-- input { [1i64] [1i64] [1i64, 0i64] [1i64] } error:
entry replaced [n]
               (lens: [n]i64)
               (xs: []i64)
               (new_lens: [2]i64)
               (ys: []i64) : ([n]i64, []i64) =
  parts (replace (copy (segment lens xs)) (segment new_lens ys))

-- ==
-- entry: part_replaced
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 2i64 } output { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 1i64, 2i64, 8i64, 9i64] }
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 1i64 } output { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 1i64, 2i64, 6i64, 7i64, 8i64, 9i64] }
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 3i64 } error:
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] 0i64 } error:
entry part_replaced [n] (lens: [n]i64) (xs: []i64) (i: i64) : ([n]i64, []i64) =
  parts (replace_part (copy (segment lens xs)) i)

-- ==
-- entry: incremented
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] } output { [3i64, 2i64, 4i64] [2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] } output { [1i64, 0i64, 2i64] [2i64, 3i64, 4i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry incremented [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64) =
  parts (increment (copy (segment lens xs)))
