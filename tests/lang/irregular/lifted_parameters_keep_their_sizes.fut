def apply 'a '~b (f: a -> b) (x: a) : b = f x

def up_to (n: i64) : []i64 = apply (\i -> iota i) n
