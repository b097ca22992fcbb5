//! Columns assembled element by element, with the lengths of rows as they end.
//!
//! Where a dimension is `?` each row has a length of its own; where it is regular the first row settles the length of
//! all. A part that is not there, such as the payload of a constructor that was not chosen, still needs its place.

use super::columns::Column;
use norn_interp::{Elements, Field, NO_CELL, Parts, Region};
use norn_ir::nest::{Elem, Prim, Scalar};
use norn_values::{Data, Value};

pub(super) struct Assembly {
    dims: Vec<Lengths>,
    elements: Elements,
}

/// The lengths of the rows of one dimension.
enum Lengths {
    Regular(Option<usize>),
    /// Where each row ends, counted in rows of the next dimension.
    Irregular(Vec<i64>),
}

/// How long a row should have been.
pub(super) struct WrongLength(pub usize);

impl Assembly {
    pub fn new(elem: Elem, irregular: impl Iterator<Item = bool>) -> Assembly {
        let lengths =
            |irregular| if irregular { Lengths::Irregular(vec![0]) } else { Lengths::Regular(None) };
        let elements = match elem {
            Elem::Prim(prim) => Elements::Prim(Data::empty(prim)),
            Elem::Ref(..) => Elements::Ref(Vec::new()),
        };
        Assembly { dims: irregular.map(lengths).collect(), elements }
    }

    /// Adds elements, which are of the column's type.
    pub fn push(&mut self, more: Data) {
        let fits = match &mut self.elements {
            Elements::Prim(data) => data.append(more),
            Elements::Ref(_) => false,
        };
        assert!(fits, "engine: elements of another type than their column");
    }

    pub fn push_cell(&mut self, cell: u32) {
        match &mut self.elements {
            Elements::Ref(cells) => cells.push(cell),
            Elements::Prim(_) => panic!("engine: a cell in a column of numbers"),
        }
    }

    /// Ends a row of the dimension `level`.
    pub fn close(&mut self, level: usize, count: usize) -> Result<(), WrongLength> {
        match &mut self.dims[level] {
            Lengths::Regular(length) => match *length.get_or_insert(count) {
                length if length == count => Ok(()),
                length => Err(WrongLength(length)),
            },
            Lengths::Irregular(ends) => {
                ends.push(ends.last().copied().unwrap_or(0) + count as i64);
                Ok(())
            }
        }
    }

    /// Settles the length of rows of a regular dimension that has none.
    pub fn settle(&mut self, level: usize, length: usize) {
        if let Lengths::Regular(known) = &mut self.dims[level] {
            known.get_or_insert(length);
        }
    }

    /// Keeps the place of a part without its first `level` dimensions that is not there.
    pub fn fill(&mut self, level: usize) {
        match self.dims.get_mut(level) {
            Some(Lengths::Regular(_)) => {}
            Some(Lengths::Irregular(ends)) => ends.push(ends.last().copied().unwrap_or(0)),
            None => match &mut self.elements {
                Elements::Prim(data) => {
                    let zero = zero(data.prim());
                    data.append(zero);
                }
                Elements::Ref(cells) => cells.push(NO_CELL),
            },
        }
    }

    /// The column. Cells are those of the region.
    pub fn into_column(self, region: &Region) -> Column {
        if !self.dims.is_empty() {
            let region = matches!(self.elements, Elements::Ref(_)).then(|| region.clone());
            return Column::from_parts(self.into_parts(), region);
        }
        match self.elements {
            Elements::Prim(data) => {
                let value = Value::new(Vec::new(), data);
                Column::from_host(&value.unwrap_or_else(|_| panic!("engine: a scalar is one element")))
            }
            Elements::Ref(cells) => {
                Column::from_cell(region.clone(), cells.first().copied().unwrap_or(NO_CELL))
            }
        }
    }

    /// The column as the field of a cell.
    pub fn into_field(self) -> Field {
        if !self.dims.is_empty() {
            return Field::Array(self.into_parts());
        }
        match self.into_column(&Region::default()) {
            Column::Scalar(scalar) => Field::Word(scalar.bits()),
            Column::Ref(place) => Field::Word(place.cell().into()),
            Column::Array(_) | Column::Region(_) | Column::Acc(_) | Column::Cert => {
                panic!("engine: a column without dimensions is a scalar or a ref")
            }
        }
    }

    fn into_parts(self) -> Parts {
        let mut parts = Parts { dims: Vec::new(), offsets: Vec::new(), elements: self.elements };
        for lengths in self.dims {
            match lengths {
                Lengths::Regular(length) => parts.dims.push(Some(length.unwrap_or(0))),
                Lengths::Irregular(ends) => {
                    parts.dims.push(None);
                    parts.offsets.push(ends);
                }
            }
        }
        parts
    }
}

fn zero(prim: Prim) -> Data {
    let zero = Column::Scalar(Scalar::zero(prim)).to_host();
    zero.map_or_else(|| Data::empty(prim), |zero| zero.into_parts().1)
}
