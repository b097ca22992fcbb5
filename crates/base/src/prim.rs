//! The primitive types of the language.

use half::f16;

/// A primitive type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Prim {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Bool,
}

impl Prim {
    pub const ALL: [Prim; 12] = [
        Prim::I8,
        Prim::I16,
        Prim::I32,
        Prim::I64,
        Prim::U8,
        Prim::U16,
        Prim::U32,
        Prim::U64,
        Prim::F16,
        Prim::F32,
        Prim::F64,
        Prim::Bool,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Prim::I8 => "i8",
            Prim::I16 => "i16",
            Prim::I32 => "i32",
            Prim::I64 => "i64",
            Prim::U8 => "u8",
            Prim::U16 => "u16",
            Prim::U32 => "u32",
            Prim::U64 => "u64",
            Prim::F16 => "f16",
            Prim::F32 => "f32",
            Prim::F64 => "f64",
            Prim::Bool => "bool",
        }
    }

    pub fn from_name(name: &str) -> Option<Prim> {
        Prim::ALL.into_iter().find(|p| p.name() == name)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64)
    }

    /// The least and the largest number of an integer type.
    pub fn extremes(self) -> (i128, i128) {
        let bits = 8 * self.size() as u32;
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    pub fn is_unsigned(self) -> bool {
        matches!(self, Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64)
    }

    pub fn is_int(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    pub fn is_float(self) -> bool {
        matches!(self, Prim::F16 | Prim::F32 | Prim::F64)
    }

    pub fn is_number(self) -> bool {
        self.is_int() || self.is_float()
    }

    /// Width in bits; `bool` counts as 1.
    pub fn bits(self) -> u32 {
        match self {
            Prim::I8 | Prim::U8 => 8,
            Prim::I16 | Prim::U16 | Prim::F16 => 16,
            Prim::I32 | Prim::U32 | Prim::F32 => 32,
            Prim::I64 | Prim::U64 | Prim::F64 => 64,
            Prim::Bool => 1,
        }
    }

    /// How many bytes one takes in memory and in files.
    pub fn size(self) -> usize {
        self.bits().div_ceil(8) as usize
    }
}

impl std::fmt::Display for Prim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The nearest f16, ties to even: one rounding. `f16::from_f64` rounds to f32 first, which makes a tie of what was next to one.
pub fn f16_from_f64(x: f64) -> f16 {
    // Rounded to odd: an f32 that is not exact ends in a one, so it is no tie of f16, and lies on the same side of every tie as `x`.
    let near = x as f32;
    if f64::from(near) == x || x.is_nan() {
        return f16::from_f32(near);
    }
    let towards_zero = near.to_bits() - u32::from(f64::from(near).abs() > x.abs());
    f16::from_f32(f32::from_bits(towards_zero | 1))
}
