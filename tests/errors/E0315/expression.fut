type t = #a | #b i32

def f : t = #c
