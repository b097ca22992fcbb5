def f (x: i32) = = x

def g: i32 = 1

type t =

def h (: i32) = 1
