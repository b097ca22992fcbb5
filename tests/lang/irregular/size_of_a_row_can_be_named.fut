def repeat [n] (xss: [n][?]i64) (i: i64) : []i64 =
  let [k] (row: [k]i64) = xss[i]
  in map (\j -> row[j] * k) (iota k)
