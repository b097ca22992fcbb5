def f [n] (xss: [n](?[k].[k]f32)) : [n][?]f32 = xss

def g [n] (xss: [n][?]f32) : [n](?[k].[k]f32) = xss

-- ==
-- entry: through_both
-- input { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] } output { [2i64, 0i64, 1i64] [1f32, 2f32, 3f32] }
-- input { [0i64] empty([0]f32) } output { [0i64] empty([0]f32) }
-- input { empty([0]i64) empty([0]f32) } output { empty([0]i64) empty([0]f32) }
entry through_both [n] (lens: [n]i64) (xs: []f32) : ([n]i64, []f32) =
  let xss = f (g (segment lens xs))
  in (lengths xss, irregular.flatten xss)
