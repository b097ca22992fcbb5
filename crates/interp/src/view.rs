//! Arrays inside the interpreter: a shape over memory that may be shared.
//!
//! A view is the elements from `offset` on, as many as its shape has, in row-major order. A row, a
//! run of neighbouring rows or another shape of the same elements is a view of the same memory. What
//! writes calls `make_mut`, which copies the elements first unless nobody else looks at the memory.
//!
//! An irregular array is a view whose elements are views: its shape has the dimensions before the
//! first `?`, and each element is a row, with the dimensions from that `?` on.

use crate::builder::{Builder, Row};
use crate::data::{Data, Kind};
use crate::dims::{Dims, product};
use crate::failure::Outcome;
use norn_ir::scalar::eval::Word;
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct View {
    pub(crate) shape: Dims,
    pub(crate) offset: usize,
    pub(crate) data: Arc<Data>,
}

impl View {
    pub(crate) fn new(shape: Dims, data: Data) -> View {
        debug_assert_eq!(shape.count(), data.len());
        View { shape, offset: 0, data: Arc::new(data) }
    }

    /// How many rows it has.
    pub(crate) fn len(&self) -> usize {
        self.shape[0]
    }

    /// How many elements it has.
    pub(crate) fn count(&self) -> usize {
        self.shape.count()
    }

    pub(crate) fn kind(&self) -> Kind {
        self.data.kind()
    }

    /// The element with this number in row-major order: a scalar.
    pub(crate) fn word(&self, index: usize) -> Word {
        self.data.word(self.offset + index)
    }

    /// The element with this number in row-major order: a row of an irregular array.
    pub(crate) fn entry(&self, index: usize) -> &View {
        &self.data.rows()[self.offset + index]
    }

    /// The elements of an irregular array.
    pub(crate) fn entries(&self) -> &[View] {
        &self.data.rows()[self.offset..self.offset + self.count()]
    }

    /// Row `index`, which has dimensions.
    pub(crate) fn row(&self, index: usize) -> View {
        if self.shape.len() == 1 { self.entry(index).clone() } else { self.part_at(1, index) }
    }

    /// Part number `index` below the first `fixed` dimensions, which are not all.
    pub(crate) fn part_at(&self, fixed: usize, index: usize) -> View {
        let inner = &self.shape[fixed..];
        let offset = self.offset + index * product(inner);
        View { shape: inner.into(), offset, data: self.data.clone() }
    }

    /// Neighbouring rows.
    pub(crate) fn run(&self, start: usize, count: usize) -> View {
        let row = product(&self.shape[1..]);
        let shape = Dims::join(&[count], &self.shape[1..]);
        View {
            shape,
            offset: self.offset + if count == 0 { 0 } else { start * row },
            data: self.data.clone(),
        }
    }

    /// The same elements in another shape, which has as many.
    pub(crate) fn reshape(mut self, shape: Dims) -> View {
        debug_assert_eq!(shape.count(), self.count());
        self.shape = shape;
        self
    }

    /// The same elements in memory of its own.
    pub(crate) fn copy(&self) -> Outcome<View> {
        let count = self.count();
        let mut data = Data::with_capacity(self.kind(), count)?;
        data.extend(&self.data, self.offset..self.offset + count);
        Ok(View { shape: self.shape.clone(), offset: 0, data: Arc::new(data) })
    }

    /// The elements, if they are numbers and all that there is in memory of its own, which is then empty.
    pub(crate) fn take_host(&mut self) -> Option<norn_values::Value> {
        let kind @ Kind::Prim(_) = self.kind() else { return None };
        let is_all = self.offset == 0 && self.count() == self.data.len();
        let data = Arc::get_mut(&mut self.data).filter(|_| is_all)?;
        let data = std::mem::replace(data, Data::empty(kind)).into_host()?;
        norn_values::Value::new(self.shape.to_vec(), data).ok()
    }

    /// The memory, to be changed, and where in it the view begins.
    pub(crate) fn make_mut(&mut self) -> Outcome<(&mut Data, usize)> {
        // Asked twice, since a borrow that is returned lasts on every path.
        if Arc::get_mut(&mut self.data).is_none() {
            *self = self.copy()?;
        }
        let data = Arc::get_mut(&mut self.data).expect("memory just copied is shared by nobody");
        Ok((data, self.offset))
    }

    /// These rows, in this order.
    pub(crate) fn select(&self, indices: &[usize]) -> Outcome<View> {
        let row = if self.shape.len() > 1 {
            Row::Regular(self.shape[1..].into())
        } else if self.kind() == Kind::Rows {
            Row::Entry
        } else {
            Row::Word
        };
        let is_word = matches!(row, Row::Word);
        let mut rows = Builder::new(self.kind(), row, indices.len())?;
        for &index in indices {
            if is_word { rows.push_word(self.word(index)) } else { rows.push(&self.row(index))? }
        }
        Ok(rows.finish())
    }
}
