//! The primitive types that an element can have, with the names the formats use for them.

use std::fmt;

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

    /// The name in source text, such as `i32`: also the suffix of a literal.
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
        Prim::ALL.into_iter().find(|prim| prim.name() == name)
    }

    /// How many bytes an element has in the binary formats.
    pub fn size(self) -> usize {
        match self {
            Prim::I8 | Prim::U8 | Prim::Bool => 1,
            Prim::I16 | Prim::U16 | Prim::F16 => 2,
            Prim::I32 | Prim::U32 | Prim::F32 => 4,
            Prim::I64 | Prim::U64 | Prim::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Prim::F16 | Prim::F32 | Prim::F64)
    }

    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Prim::Bool
    }
}

impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for prim in Prim::ALL {
            assert_eq!(Prim::from_name(prim.name()), Some(prim));
        }
        assert_eq!(Prim::from_name("i128"), None);
    }

    #[test]
    fn a_type_is_an_integer_a_float_or_bool() {
        for prim in Prim::ALL {
            let kinds = [prim.is_integer(), prim.is_float(), prim == Prim::Bool];
            assert_eq!(kinds.into_iter().filter(|&k| k).count(), 1, "{prim}");
        }
    }
}
