def longest [n] (xss: [n][?]f32) : i64 = i64.maximum (map length xss)

def ends [n] (xss: [n][?]f32) : [n]f32 = map (\row -> row[length row - 1]) xss

def doubled [n] (xss: [n][?]f32) : [n][?]f32 = map (map (* 2)) xss

def pick [n] (xss: [n][?]f32) (i: i64) : []f32 = xss[i]
