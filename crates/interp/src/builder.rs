//! Arrays in the making, row by row.

use crate::data::{Data, Kind};
use crate::dims::Dims;
use crate::failure::{Outcome, fail};
use crate::view::View;
use norn_ir::scalar::eval::Word;
use std::sync::Arc;

pub(crate) struct Builder {
    data: Data,
    row: Row,
    count: usize,
}

/// What the rows are.
pub(crate) enum Row {
    /// Scalars.
    Word,
    /// Arrays that all have these dimensions (those before a `?`).
    Regular(Dims),
    /// Arrays whose first dimension is `?`: each is one element.
    Entry,
}

impl Builder {
    /// For so many rows. The kind is that of the elements: `Rows` if a `?` follows somewhere.
    pub(crate) fn new(kind: Kind, row: Row, rows: usize) -> Outcome<Builder> {
        let each = match &row {
            Row::Word | Row::Entry => 1,
            Row::Regular(dims) => dims.count(),
        };
        Ok(Builder { data: Data::with_capacity(kind, rows.saturating_mul(each))?, row, count: 0 })
    }

    pub(crate) fn push_word(&mut self, word: Word) {
        self.data.push_word(word);
        self.count += 1;
    }

    pub(crate) fn push(&mut self, view: &View) -> Outcome {
        match &self.row {
            Row::Regular(dims) if view.shape == *dims => {
                self.data.extend(&view.data, view.offset..view.offset + dims.count());
            }
            Row::Regular(dims) => {
                return fail(format!(
                    "nest type violated: a row has the shape {}, the others {dims}.",
                    view.shape
                ));
            }
            Row::Entry => self.data.push_row(view.clone()),
            Row::Word => panic!("an array is pushed to an array of scalars"),
        }
        self.count += 1;
        Ok(())
    }

    pub(crate) fn finish(self) -> View {
        let shape = match &self.row {
            Row::Word | Row::Entry => Dims::one(self.count),
            Row::Regular(dims) => Dims::join(&[self.count], dims),
        };
        View { shape, offset: 0, data: Arc::new(self.data) }
    }
}
