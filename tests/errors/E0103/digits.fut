def x = 0xz1
def y = 1e
