def c: u8 = 'a
def x: i32 = 1
