def f [n] [m] (xss: [n][m]i64) = loop xss for i < 10 do map (filter (> i)) xss
