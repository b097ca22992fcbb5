def same [n] (xs: [n]i32) (ys: []i32) : [n](i32, i32) = zip xs (ys :> [n]i32)

def ten (xs: []f32) : [10]f32 = xs :> [10]f32

def f (xs: []i32) = xs : []i32
