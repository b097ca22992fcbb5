type rec t = #leaf (i32 -> i32) | #node t t

def same (a: t) (b: t) : bool = a == b
