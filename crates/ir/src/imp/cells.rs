//! Where the constructor and the columns of a cell are: what makes cells, and what reads them from outside, must agree.
//!
//! ```text
//! #node (&tree, f64, &tree)      tag  left  right  -     value
//!                                0    4     8      12    16 .. 24
//! ```
//!
//! The number of the constructor has four bytes. Behind it are the small columns, each at a multiple of its size, and then those of eight bytes, so that there are no gaps but
//! one. An array has a word for the length of its first dimension if that is `?`, and one for each part.

use crate::nest::{Dim, Elem, Type};

/// Of the cells of one constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellLayout {
    /// The first byte of each column.
    pub columns: Vec<usize>,
    /// How many words all of this takes. The elements of arrays come behind.
    pub words: usize,
}

/// The bytes of the constructor's number.
const TAG: usize = 4;

pub fn cell_layout(columns: &[Type]) -> CellLayout {
    let mut next = TAG;
    let mut places = vec![0; columns.len()];
    // A place for each column of so many bytes.
    for size in [4, 2, 1, 8] {
        for (place, column) in places.iter_mut().zip(columns).filter(|(_, column)| unit(column) == size) {
            next = next.next_multiple_of(size);
            *place = next;
            next += size * units(column);
        }
    }
    CellLayout { columns: places, words: next.div_ceil(8) }
}

/// The bytes of a scalar, or of a word of an array.
fn unit(column: &Type) -> usize {
    match column.elem() {
        Some(Elem::Prim(prim)) if !column.is_array() => prim.size(),
        Some(Elem::Ref(..)) if !column.is_array() => 4,
        Some(_) | None => 8,
    }
}

/// How many there are.
fn units(column: &Type) -> usize {
    if !column.is_array() {
        return 1;
    }
    let irregular = |dim: &&Dim| **dim == Dim::Irregular;
    let dims = column.dims();
    let parts = 1 + dims.iter().skip(1).filter(irregular).count();
    usize::from(dims[0] == Dim::Irregular) + parts
}
