//! Comparing types in all but the names of sizes.

use crate::skeleton::{Atom, Dim, Scalar, Type};

/// Some size: which one does not matter here. No array has it, so messages can show it as `_`.
pub const SOME: Dim = Dim::Size(Atom::Const(Scalar::I64(i64::MIN)));

/// Same elements, same rank, `?` in the same places.
pub fn agree(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Value(..), Type::Value(..)) => a.same_pattern(b),
        (Type::Acc(xs), Type::Acc(ys)) => xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| agree(x, y)),
        (Type::Seg { .. }, Type::Seg { .. }) | (Type::Region, Type::Region) | (Type::Cert, Type::Cert) => {
            true
        }
        (Type::Value(..) | Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert, _) => false,
    }
}

/// A type of several values with equal or different sizes: `?` wherever the expected type has it in place
/// of a size.
pub fn packed(ty: &Type, expected: Option<&Type>) -> Type {
    let mut dims = ty.dims().to_vec();
    for (dim, expected) in dims.iter_mut().zip(expected.map_or(&[][..], Type::dims)) {
        if *expected == Dim::Irregular {
            *dim = Dim::Irregular;
        }
    }
    ty.with_dims(dims)
}

/// What is bound for a value whose first dimension may be `?`: its length, then the value.
pub fn with_length(ty: Type) -> Vec<Type> {
    match ty.dims().first() {
        Some(Dim::Irregular) => {
            let mut dims = ty.dims().to_vec();
            dims[0] = SOME;
            vec![Type::i64(), ty.with_dims(dims)]
        }
        Some(Dim::Size(_) | Dim::Result(_)) | None => vec![ty],
    }
}

/// What a lambda takes of an array: its row, with the length in front if it varies.
pub fn row_columns(array: &Type) -> Option<Vec<Type>> {
    array.row().map(with_length)
}
