def table : [3]i32 = [1, 2, 3]

def f (i: i64) = table with [i] = 0
