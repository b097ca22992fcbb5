type~ row = []f32

def same [n] (xss: [n][?]f32) : [n]row = xss

def back [n] (xss: [n]row) : [n](?[k].[k]f32) = xss

def sums [n] (xss: [n]row) : [n]f32 = map f32.sum xss
