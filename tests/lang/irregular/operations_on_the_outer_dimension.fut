def front [n] (xss: [n][?]i64) : [2][?]i64 = take 2 xss

def first [n] (xss: [n][?]i64) : []i64 = head xss

def both [n] (xss: [n][?]i64) (yss: [n][?]f32) : [n]([?]i64, [?]f32) =
  zip xss yss

def apart [n] (xss: [n]([?]i64, [?]f32)) : ([n][?]i64, [n][?]f32) = unzip xss

def after [n] [m] (xss: [n][?]i64) (yss: [m][?]i64) : [n + m][?]i64 = xss ++ yss

def long [n] (xss: [n][?]i64) : ?[k].[k][?]i64 =
  filter (\xs -> length xs > 2) xss

def copies [n] (xss: [n][?]i64) : [3][n][?]i64 = replicate 3 xss

def parts [n] 't (xss: [n][?]t) : ([n]i64, []t) =
  (lengths xss, irregular.flatten xss)

-- ==
-- entry: of_front
-- input { [0i64, 2i64, 1i64] [1i64, 2i64, 3i64] } output { [0i64, 2i64] [1i64, 2i64] }
-- input { [1i64] [1i64] } error:
entry of_front [n] (lens: [n]i64) (xs: []i64) : ([2]i64, []i64) =
  parts (front (segment lens xs))

-- ==
-- entry: of_first
-- input { [2i64, 1i64] [1i64, 2i64, 3i64] } output { [1i64, 2i64] }
-- input { [0i64, 1i64] [3i64] } output { empty([0]i64) }
-- input { empty([0]i64) empty([0]i64) } error:
entry of_first [n] (lens: [n]i64) (xs: []i64) : []i64 = first (segment lens xs)

-- ==
-- entry: of_both
-- input { [2i64, 0i64] [1i64, 2i64] } output { [2i64, 0i64] [1i64, 2i64] [3i64, 1i64] [1f32, 2f32, 9f32, 9f32] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]f32) }
entry of_both [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64, [n]i64, []f32) =
  let xss = segment lens xs
  let yss = map (\row -> map f32.i64 (row ++ [9])) xss
  let (us, vs) = apart (both xss yss)
  let (us_lengths, us_elements) = parts us
  let (vs_lengths, vs_elements) = parts vs
  in (us_lengths, us_elements, vs_lengths, vs_elements)

-- ==
-- entry: of_after
-- input { [2i64, 0i64] [1i64, 2i64] [1i64, 0i64, 2i64] [3i64, 4i64, 5i64] } output { [2i64, 0i64, 1i64, 0i64, 2i64] [1i64, 2i64, 3i64, 4i64, 5i64] }
-- input { empty([0]i64) empty([0]i64) [1i64] [3i64] } output { [1i64] [3i64] }
-- input { [1i64] [3i64] empty([0]i64) empty([0]i64) } output { [1i64] [3i64] }
-- input { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry of_after [n] [m]
               (lens: [n]i64)
               (xs: []i64)
               (more_lens: [m]i64)
               (ys: []i64) : ([n + m]i64, []i64) =
  parts (after (segment lens xs) (segment more_lens ys))

-- ==
-- entry: of_long
-- input { [3i64, 1i64, 0i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] } output { [3i64, 4i64] [1i64, 2i64, 3i64, 5i64, 6i64, 7i64, 8i64] }
-- input { [1i64] [4i64] } output { empty([0]i64) empty([0]i64) }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry of_long [n] (lens: [n]i64) (xs: []i64) : ([]i64, []i64) =
  parts (long (segment lens xs))

-- ==
-- entry: of_copies
-- input { [3i64, 1i64] [1i64, 2i64, 3i64, 4i64] } output { [[3i64, 1i64], [3i64, 1i64], [3i64, 1i64]] [10i64, 10i64, 10i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([3][0]i64) [0i64, 0i64, 0i64] }
entry of_copies [n] (lens: [n]i64) (xs: []i64) : ([3][n]i64, [3]i64) =
  let xsss = copies (segment lens xs)
  in (map lengths xsss, map (\xss -> i64.sum (map i64.sum xss)) xsss)
