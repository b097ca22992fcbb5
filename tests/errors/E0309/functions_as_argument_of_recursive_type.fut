type rec list 'a = #nil | #cons (a, bool) (list a)

def same (a: list (i32 -> i32)) (b: list (i32 -> i32)) : bool = a == b
