def dot [k] (xs: [k]i64) (ys: [k]i64) : i64 = i64.sum (map2 (*) xs ys)

def dots [n] (xss: [n][?]i64) (yss: [n][?]i64) : [n]i64 = map2 dot xss yss

def sums [n] (xss: [n][?]f32) : [n]f32 = map f32.sum xss

def reversed [n] (xss: [n][?]i64) : [n][?]i64 = map reverse xss

def scanned [n] (xss: [n][?]i64) : [n][?]i64 = map (scan (+) 0) xss
