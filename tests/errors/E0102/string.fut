def s = "abc
def x: i32 = 1
