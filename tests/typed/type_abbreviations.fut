-- Abbreviations are expanded where they are used; those with hidden sizes say so.
type vector [n] 'a = [n]a
type pair 'a = (a, a)
type~ some = []i32
type^ predicate 'a = a -> bool
type matrix [n] [m] = vector [n] (vector [m] f64)

def transpose_of [n] [m] (xs: matrix [n] [m]) : matrix [m] [n] = transpose xs

def choose (p: predicate i32) ((x, y): pair i32) : i32 = if p x then x else y

def open_some (xs: some) : some = map (+ 1) xs
