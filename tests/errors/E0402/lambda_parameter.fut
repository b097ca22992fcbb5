def apply 'b (f: i64 -> b) = f 3

def g = apply (\n -> \(xs: [n]i32) -> xs)
