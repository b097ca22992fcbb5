type vec [n] = [n]f32

type matrix [n] [m] = [n][m]f32

type marked 'a = (a, bool)

def sums [n] (xss: [n](vec [?])) : [n]f32 = map f32.sum xss

def of_matrix (xss: matrix [3] [?]) : [3]f32 = map f32.sum xss

def marks [n] (xss: [n](marked ([?]i32))) : [n]bool = map (.1) xss

-- ==
-- entry: sums_of_rows
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 4f32] } output { [3f32, 0f32, 4f32] }
-- input { empty([0]i64) empty([0]f32) } output { empty([0]f32) }
-- input { [0i64] empty([0]f32) } output { [0f32] }
entry sums_of_rows [n] (lens: [n]i64) (xs: []f32) : [n]f32 =
  sums (segment lens xs)

-- ==
-- entry: sums_of_matrix
-- input { [0i64, 2i64, 1i64] [1f32, 2f32, 4f32] } output { [0f32, 3f32, 4f32] }
-- input { [0i64, 0i64, 0i64] empty([0]f32) } output { [0f32, 0f32, 0f32] }
entry sums_of_matrix (lens: [3]i64) (xs: []f32) : [3]f32 =
  of_matrix (segment lens xs)

-- ==
-- entry: marks_of_rows
-- input { [0i64, 2i64, 1i64] [1, 2, 4] } output { [false, true, false] }
entry marks_of_rows [n] (lens: [n]i64) (xs: []i32) : [n]bool =
  marks (map (\row -> (row, length row > 1)) (segment lens xs))
