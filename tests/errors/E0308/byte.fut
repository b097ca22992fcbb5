def x : u8 = 300
