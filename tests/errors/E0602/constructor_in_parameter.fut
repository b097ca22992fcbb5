type t = #a i32 | #b

def f ((#a x): t) : i32 = x

def main (x: i32) : i32 = f (#a x)
