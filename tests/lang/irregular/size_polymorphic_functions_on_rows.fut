def dot [k] (xs: [k]i64) (ys: [k]i64) : i64 = i64.sum (map2 (*) xs ys)

def dots [n] (xss: [n][?]i64) (yss: [n][?]i64) : [n]i64 = map2 dot xss yss

def sums [n] (xss: [n][?]f32) : [n]f32 = map f32.sum xss

def reversed [n] (xss: [n][?]i64) : [n][?]i64 = map reverse xss

def scanned [n] (xss: [n][?]i64) : [n][?]i64 = map (scan (+) 0) xss

def parts [n] (xss: [n][?]i64) : ([n]i64, []i64) =
  (lengths xss, irregular.flatten xss)

-- ==
-- entry: of_dots
-- input { [2i64, 0i64, 1i64] [1i64, 2i64, 3i64] [2i64, 0i64, 1i64] [10i64, 20i64, 5i64] } output { [50i64, 0i64, 15i64] }
-- input { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) } output { empty([0]i64) }
-- input { [2i64, 0i64, 1i64] [1i64, 2i64, 3i64] [2i64, 1i64, 0i64] [10i64, 20i64, 5i64] } error:
entry of_dots [n]
              (lens: [n]i64)
              (xs: []i64)
              (other_lens: [n]i64)
              (ys: []i64) : [n]i64 =
  dots (segment lens xs) (segment other_lens ys)

-- ==
-- entry: of_sums
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] } output { [3f32, 0f32, 3f32] }
entry of_sums [n] (lens: [n]i64) (xs: []f32) : [n]f32 = sums (segment lens xs)

-- ==
-- entry: of_reversed
-- input { [3i64, 0i64, 1i64, 2i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { [3i64, 0i64, 1i64, 2i64] [3i64, 2i64, 1i64, 4i64, 6i64, 5i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry of_reversed [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64) =
  parts (reversed (segment lens xs))

-- ==
-- entry: of_scanned
-- input { [3i64, 0i64, 1i64, 2i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { [3i64, 0i64, 1i64, 2i64] [1i64, 3i64, 6i64, 4i64, 5i64, 11i64] }
-- input { [0i64, 0i64] empty([0]i64) } output { [0i64, 0i64] empty([0]i64) }
entry of_scanned [n] (lens: [n]i64) (xs: []i64) : ([n]i64, []i64) =
  parts (scanned (segment lens xs))
