def f [n] (xss: [n](?[k].[k]f32)) : [n][?]f32 = xss

def g [n] (xss: [n][?]f32) : [n](?[k].[k]f32) = xss
