//! Constants as text, with their types as suffixes: `1i64`, `-0.5f32`, `true`, `f32.inf`.
//!
//! Every bit survives: decimal text is the shortest that reads back as the same number, and a NaN
//! that is not the usual one is written by its bits, `f32.bits(0x7fc00001)`.

use super::{Prim, Scalar, f16, f16_from_f64};
use std::fmt;

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Scalar::I8(x) => write!(f, "{x}i8"),
            Scalar::I16(x) => write!(f, "{x}i16"),
            Scalar::I32(x) => write!(f, "{x}i32"),
            Scalar::I64(x) => write!(f, "{x}i64"),
            Scalar::U8(x) => write!(f, "{x}u8"),
            Scalar::U16(x) => write!(f, "{x}u16"),
            Scalar::U32(x) => write!(f, "{x}u32"),
            Scalar::U64(x) => write!(f, "{x}u64"),
            // Every f16 is an f32, and the text of that f32 leads back to it.
            Scalar::F16(x) => self.print_float(f, x.to_f64(), format!("{:?}", x.to_f32())),
            Scalar::F32(x) => self.print_float(f, x as f64, format!("{x:?}")),
            Scalar::F64(x) => self.print_float(f, x, format!("{x:?}")),
            Scalar::Bool(x) => write!(f, "{x}"),
        }
    }
}

impl Scalar {
    fn print_float(self, f: &mut fmt::Formatter<'_>, value: f64, text: String) -> fmt::Result {
        let prim = self.prim().name();
        if value.is_finite() {
            write!(f, "{}{prim}", text.strip_suffix(".0").unwrap_or(&text))
        } else if value == f64::INFINITY {
            write!(f, "{prim}.inf")
        } else if value == f64::NEG_INFINITY {
            write!(f, "-{prim}.inf")
        } else if Some(self) == Scalar::special(self.prim(), "nan") {
            write!(f, "{prim}.nan")
        } else {
            write!(f, "{prim}.bits({:#x})", self.bits())
        }
    }

    /// `inf` or `nan` of a float type.
    pub fn special(prim: Prim, name: &str) -> Option<Scalar> {
        let value = match name {
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            _ => return None,
        };
        prim.is_float().then(|| Scalar::from_float(prim, value))
    }

    /// The constant whose bits these are. None if there are more than the type has.
    pub fn from_bits(prim: Prim, bits: u64) -> Option<Scalar> {
        if prim.bits() < 64 && bits >> prim.bits() != 0 {
            return None;
        }
        Some(match prim {
            Prim::F16 => Scalar::F16(f16::from_bits(bits as u16)),
            Prim::F32 => Scalar::F32(f32::from_bits(bits as u32)),
            Prim::F64 => Scalar::F64(f64::from_bits(bits)),
            Prim::I8
            | Prim::I16
            | Prim::I32
            | Prim::I64
            | Prim::U8
            | Prim::U16
            | Prim::U32
            | Prim::U64
            | Prim::Bool => Scalar::from_int(prim, bits as i128),
        })
    }

    /// A number in decimal, without suffix. None if the type has no such number.
    pub fn from_decimal(prim: Prim, text: &str) -> Option<Scalar> {
        match prim {
            Prim::I8 => text.parse().ok().map(Scalar::I8),
            Prim::I16 => text.parse().ok().map(Scalar::I16),
            Prim::I32 => text.parse().ok().map(Scalar::I32),
            Prim::I64 => text.parse().ok().map(Scalar::I64),
            Prim::U8 => text.parse().ok().map(Scalar::U8),
            Prim::U16 => text.parse().ok().map(Scalar::U16),
            Prim::U32 => text.parse().ok().map(Scalar::U32),
            Prim::U64 => text.parse().ok().map(Scalar::U64),
            Prim::F16 => text.parse().ok().map(|x: f64| Scalar::F16(f16_from_f64(x))),
            Prim::F32 => text.parse().ok().map(Scalar::F32),
            Prim::F64 => text.parse().ok().map(Scalar::F64),
            Prim::Bool => None,
        }
    }
}
