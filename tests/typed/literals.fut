-- Every literal has its type.
def integers = (1i8, -128i8, 255u8, 0xFFu16, 1_000i32, 9223372036854775807i64, 18446744073709551615u64)
def floats : (f16, f32, f64, f64, f64, f64) = (1, 0.1, 1e100, -0.0, f64.inf, 3)
def others = (true, "text \"quoted\"\n", 'a' : u8, ())
def arrays = ([[1u8, 2], [3, 4]], [] : [0]i32, [(1i32, #none : #none | #some i32)])
