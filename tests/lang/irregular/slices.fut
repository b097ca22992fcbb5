def some_rows [n] (xss: [n][?]i64) (a: i64) (b: i64) : [][?]i64 = xss[a:b]

def of_one_row [n] (xss: [n][?]i64) (i: i64) : []i64 = xss[i, 1:]

def column [n] (xss: [n][?]i64) (j: i64) : [n]i64 = xss[:, j]

def fixed_part [n] (xss: [n][?]i64) : [n][2]i64 = xss[:, 0:2]

def rest [n] (xss: [n][?]i64) : [n][?]i64 = xss[:, 1:]

def backwards [n] (xss: [n][?]i64) : [n][?]i64 = xss[:, ::-1]

def every_other [n] (xss: [n][?]i64) : [n][?]i64 = xss[:, ::2]

def inner [n] (xsss: [n][?][?]i64) (i: i64) (j: i64) : []i64 = xsss[i, :, j]

def parts [n] (xss: [n][?]i64) : ([n]i64, []i64) =
  (lengths xss, irregular.flatten xss)

-- ==
-- entry: of_some_rows
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 1i64 3i64 } output { [2i64, 4i64] [4i64, 5i64, 6i64, 7i64, 8i64, 9i64] }
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 1i64 1i64 } output { empty([0]i64) empty([0]i64) }
-- input { empty([0]i64) empty([0]i64) 0i64 0i64 } output { empty([0]i64) empty([0]i64) }
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 1i64 4i64 } error:
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 2i64 1i64 } error:
entry of_some_rows [n]
                   (lens: [n]i64)
                   (xs: []i64)
                   (a: i64)
                   (b: i64) : ([]i64, []i64) =
  parts (some_rows (segment lens xs) a b)

-- ==
-- entry: of_one
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 0i64 } output { [2i64, 3i64] }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] 0i64 } output { empty([0]i64) }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] 1i64 } error:
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 3i64 } error:
entry of_one [n] (lens: [n]i64) (xs: []i64) (i: i64) : []i64 =
  of_one_row (segment lens xs) i

-- ==
-- entry: of_column
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 1i64 } output { [2i64, 5i64, 7i64] }
-- input { empty([0]i64) empty([0]i64) 5i64 } output { empty([0]i64) }
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 2i64 } error:
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] -1i64 } error:
entry of_column [n] (lens: [n]i64) (xs: []i64) (j: i64) : [n]i64 =
  column (segment lens xs) j

-- ==
-- entry: of_fixed_part
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] } output { [[1i64, 2i64], [4i64, 5i64], [6i64, 7i64]] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0][2]i64) }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] } error:
entry of_fixed_part [n] (lens: [n]i64) (xs: []i64) : [n][2]i64 =
  fixed_part (segment lens xs)

-- ==
-- entry: of_rest
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] } output { [2i64, 1i64, 3i64] [2i64, 3i64, 5i64, 7i64, 8i64, 9i64] }
-- input { [1i64] [5i64] } output { [0i64] empty([0]i64) }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] } error:
entry of_rest [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64) =
  parts (rest (segment lens xs))

-- ==
-- entry: of_backwards
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] } output { [3i64, 2i64, 4i64] [3i64, 2i64, 1i64, 5i64, 4i64, 9i64, 8i64, 7i64, 6i64] }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] } output { [1i64, 0i64, 2i64] [1i64, 3i64, 2i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry of_backwards [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64) =
  parts (backwards (segment lens xs))

-- ==
-- entry: of_every_other
-- input { [3i64, 2i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] } output { [2i64, 1i64, 2i64] [1i64, 3i64, 4i64, 6i64, 8i64] }
-- input { [1i64, 0i64, 2i64] [1i64, 2i64, 3i64] } output { [1i64, 0i64, 1i64] [1i64, 2i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry of_every_other [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64) =
  parts (every_other (segment lens xs))

-- ==
-- entry: of_inner
-- input { [1i64, 3i64, 0i64] 1i64 1i64 } output { [1i64, 11i64, 21i64] }
-- input { [1i64, 3i64, 0i64] 2i64 1i64 } output { empty([0]i64) }
-- input { [1i64, 3i64, 0i64] 1i64 2i64 } error:
entry of_inner [n] (is: [n]i64) (i: i64) (j: i64) : []i64 =
  inner (map (\k -> map (\l -> map (+ 10 * l) (iota (l + 2))) (iota k)) is) i j
