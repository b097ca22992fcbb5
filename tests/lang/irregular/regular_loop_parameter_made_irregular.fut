def thin [n] [m] (xss: [n][m]i64) : [n][?]i64 =
  loop rows = xss :> [n][?]i64 for i < 10 do map (filter (> i)) rows
