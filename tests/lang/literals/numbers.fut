def a : [8]i64 =
  [0, 1_000, 0xff, 0xFF_FF, 0b1010, 1i64, 0x7fffffffffffffff,
   -9223372036854775808]

def b : [5]f64 = [1, 1.5, 1e3, 2.5e-3, 0x1.8p3]

def c = (1i8, 2i16, 3i32, 4i64, 5u8, 6u16, 7u32, 8u64, 1f16, 2f32, 3f64)

def d : (u8, []u8) = ('a', "text \n \"quoted\"")

-- With a suffix the bit pattern counts.
def minus_one : i8 = 0xffi8
