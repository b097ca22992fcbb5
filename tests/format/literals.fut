def numbers = (0x1F, 0b1010_1010, 1_000_000i64, 1.5e-3f32, 0x1.fp3, 1f32, 255u8)
def characters = ('a', '\n', '"')
def texts = ("a -- no comment", "\"", "\\", "é")
def holes = ???
