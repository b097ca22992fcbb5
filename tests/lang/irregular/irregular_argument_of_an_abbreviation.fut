type vec [n] = [n]f32

type matrix [n] [m] = [n][m]f32

type marked 'a = (a, bool)

def sums [n] (xss: [n](vec [?])) : [n]f32 = map f32.sum xss

def of_matrix (xss: matrix [3] [?]) : [3]f32 = map f32.sum xss

def marks [n] (xss: [n](marked ([?]i32))) : [n]bool = map (.1) xss
