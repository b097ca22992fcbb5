//! Values on the host's side: what goes into and comes out of entry points.
//!
//! A value is one column (see `nest::iface`). An array is its elements in row-major order, and for each `?` where the rows
//! begin; refs are numbers of cells in a list beside the columns. All of it is ordinary memory of the host: nothing
//! here belongs to a device or to a run, but for arrays that are held on a GPU (`held`).

use crate::held::Held;
use crate::memory::data_bytes;
use norn_ir::imp::{DataId, Scalar};
use norn_values::Data;
use std::borrow::Cow;

/// The columns of arguments or results, and the cells that refs in them lead to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values<'a> {
    pub columns: Vec<Column<'a>>,
    pub cells: Vec<Cell<'a>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Column<'a> {
    Scalar(Scalar),
    Array(Array<'a>),
    /// The number of a cell, or `NOWHERE`.
    Ref(u32),
    /// An array that is on the GPU of the program. Cells have no such fields.
    Held(Held),
}

/// A ref that leads to no cell.
pub const NOWHERE: u32 = u32::MAX;

/// A value of a recursive type: one constructor with its fields, which are columns by the rules of `nest::Data`.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell<'a> {
    pub data: DataId,
    pub constr: usize,
    pub fields: Vec<Column<'a>>,
}

/// Invariants: the first dimension is a size; there are as many elements and offsets as the dimensions say.
#[derive(Clone, PartialEq, Debug)]
pub struct Array<'a> {
    dims: Vec<Option<usize>>,
    offsets: Vec<Cow<'a, [i64]>>,
    elements: Elements<'a>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Elements<'a> {
    Prim(Cow<'a, Data>),
    /// Numbers of cells, or `NOWHERE`.
    Ref(Cow<'a, [u32]>),
}

impl Values<'_> {
    /// How much of the host's memory they take.
    pub fn bytes(&self) -> u64 {
        let cells = self
            .cells
            .iter()
            .map(|cell| cell_bytes(cell.fields.len()) + cell.fields.iter().map(Column::bytes).sum::<u64>());
        self.columns.iter().map(Column::bytes).sum::<u64>() + cells.sum::<u64>()
    }
}

/// What a cell with so many fields takes, without the arrays in them.
pub fn cell_bytes(fields: usize) -> u64 {
    (size_of::<Cell>() + fields * size_of::<Column>()) as u64
}

impl Column<'_> {
    /// The same one, whose arrays are not copied.
    pub fn borrowed(&self) -> Column<'_> {
        match self {
            Column::Scalar(scalar) => Column::Scalar(*scalar),
            Column::Ref(cell) => Column::Ref(*cell),
            Column::Held(held) => Column::Held(held.clone()),
            Column::Array(array) => {
                let offsets = array.offsets.iter().map(|level| Cow::Borrowed(&level[..])).collect();
                let elements = match &array.elements {
                    Elements::Prim(data) => Elements::Prim(Cow::Borrowed(&**data)),
                    Elements::Ref(cells) => Elements::Ref(Cow::Borrowed(&cells[..])),
                };
                Column::Array(Array { dims: array.dims.clone(), offsets, elements })
            }
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Column::Array(array) => array.bytes(),
            Column::Scalar(_) | Column::Ref(_) | Column::Held(_) => 0,
        }
    }
}

impl<'a> Array<'a> {
    fn bytes(&self) -> u64 {
        let offsets: usize = self.offsets.iter().map(|level| size_of_val(&level[..])).sum();
        let elements = match &self.elements {
            Elements::Prim(data) => data_bytes(data).1,
            Elements::Ref(cells) => size_of_val(&cells[..]),
        };
        (offsets + elements) as u64
    }

    /// An array with these dimensions, `None` where it is `?`. For each `?` come the offsets: from which element of the next level
    /// to which each row goes, the first 0. None if the parts do not fit together.
    pub fn new(
        dims: Vec<Option<usize>>,
        offsets: Vec<Cow<'a, [i64]>>,
        elements: Elements<'a>,
    ) -> Option<Array<'a>> {
        let mut count: usize = (*dims.first()?)?;
        let mut levels = offsets.iter();
        for dim in &dims[1..] {
            count = match dim {
                Some(size) => count.checked_mul(*size)?,
                None => {
                    let offsets = levels.next()?;
                    let fit =
                        offsets.len() == count.checked_add(1)? && offsets[0] == 0 && offsets.is_sorted();
                    usize::try_from(*offsets.last().filter(|_| fit)?).ok()?
                }
            };
        }
        (levels.next().is_none() && elements.len() == count).then_some(Array { dims, offsets, elements })
    }

    /// A regular array of primitive values. None if there are not as many as the dimensions say.
    pub fn regular(dims: &[usize], elements: Cow<'a, Data>) -> Option<Array<'a>> {
        Array::new(dims.iter().map(|dim| Some(*dim)).collect(), Vec::new(), Elements::Prim(elements))
    }

    pub fn dims(&self) -> &[Option<usize>] {
        &self.dims
    }

    pub fn offsets(&self) -> &[Cow<'a, [i64]>] {
        &self.offsets
    }

    pub fn elements(&self) -> &Elements<'a> {
        &self.elements
    }

    /// Sizes, offsets and elements.
    #[allow(clippy::type_complexity)]
    pub fn into_parts(self) -> (Vec<Option<usize>>, Vec<Cow<'a, [i64]>>, Elements<'a>) {
        (self.dims, self.offsets, self.elements)
    }
}

impl Elements<'_> {
    pub fn len(&self) -> usize {
        match self {
            Elements::Prim(data) => data.len(),
            Elements::Ref(cells) => cells.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(count: usize) -> Elements<'static> {
        Elements::Prim(Cow::Owned(Data::F32(vec![0.0; count])))
    }

    #[test]
    fn parts_must_fit() {
        let new = |dims: &[Option<usize>], offsets: &[&'static [i64]], count| {
            let offsets = offsets.iter().map(|level| Cow::Borrowed(*level)).collect();
            Array::new(dims.to_vec(), offsets, floats(count)).is_some()
        };
        assert!(new(&[Some(2), Some(3)], &[], 6));
        assert!(!new(&[Some(2), Some(3)], &[], 5));
        assert!(!new(&[None], &[&[0, 1]], 1));
        assert!(new(&[Some(2), None], &[&[0, 1, 4]], 4));
        assert!(!new(&[Some(2), None], &[&[0, 1]], 1));
        assert!(!new(&[Some(2), None], &[&[0, 5, 4]], 4));
        assert!(!new(&[Some(1), None], &[&[-1, 0]], 0));
        assert!(new(&[Some(1), None, Some(2), None], &[&[0, 2], &[0, 0, 1, 1, 3]], 3));
        assert!(new(&[Some(0), None], &[&[0]], 0));
        assert!(!new(&[Some(usize::MAX), Some(2)], &[], 0));
    }
}
