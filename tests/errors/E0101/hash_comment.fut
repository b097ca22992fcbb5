# a comment
def f (x: i64) = x # another
