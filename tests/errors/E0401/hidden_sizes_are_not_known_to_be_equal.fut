def f [n] (xs: [n](?[k].([k]i64, [k]f32))) (i: i64) =
  let (is, vs) = xs[i]
  in zip is vs
