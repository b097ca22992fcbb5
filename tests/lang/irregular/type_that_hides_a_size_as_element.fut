type~ row = []f32

def same [n] (xss: [n][?]f32) : [n]row = xss

def back [n] (xss: [n]row) : [n](?[k].[k]f32) = xss

def sums [n] (xss: [n]row) : [n]f32 = map f32.sum xss

-- ==
-- entry: through_both
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] } output { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] [3f32, 0f32, 3f32] }
-- input { empty([0]i64) empty([0]f32) } output { empty([0]i64) empty([0]f32) empty([0]f32) }
entry through_both [n] (lens: [n]i64) (xs: []f32) : ([n]i64, []f32, [n]f32) =
  let rows = same (segment lens xs)
  let xss = back rows
  in (lengths xss, irregular.flatten xss, sums rows)
