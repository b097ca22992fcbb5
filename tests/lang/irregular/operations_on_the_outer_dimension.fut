def front [n] (xss: [n][?]i64) : [2][?]i64 = take 2 xss

def first [n] (xss: [n][?]i64) : []i64 = head xss

def both [n] (xss: [n][?]i64) (yss: [n][?]f32) : [n]([?]i64, [?]f32) =
  zip xss yss

def apart [n] (xss: [n]([?]i64, [?]f32)) : ([n][?]i64, [n][?]f32) = unzip xss

def after [n] [m] (xss: [n][?]i64) (yss: [m][?]i64) : [n + m][?]i64 = xss ++ yss

def long [n] (xss: [n][?]i64) : ?[k].[k][?]i64 =
  filter (\xs -> length xs > 2) xss

def copies [n] (xss: [n][?]i64) : [3][n][?]i64 = replicate 3 xss
