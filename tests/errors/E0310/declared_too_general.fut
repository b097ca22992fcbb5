def first 'a (xs: []i32): a = xs[0]
