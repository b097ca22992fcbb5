def f (r: {a: {b: i32}}) = r with a b = 1

def g (r: {a: {b: i32}}) = r with .a.b = 1

def h (r: *[3]{b: [2]i32}) = r with [0] b [1] = 1
