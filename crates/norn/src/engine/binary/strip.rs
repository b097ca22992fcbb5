//! Strips: one column of many values that are stored together.
//!
//! A strip of n values without dimensions is n elements. With dimensions, each value is an array: the lengths of the first dimension are of the n values, those of the
//! next are of all rows in them, and so on; the elements of all values stand one after the other.

use super::super::columns::Column;
use norn_interp::{Elements, Field, NO_CELL, Parts, Region};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, Scalar};
use norn_values::{Data, Value};
use std::ops::Range;

#[derive(Clone)]
pub(super) struct Strip {
    pub dims: Vec<Lengths>,
    pub elements: Elements,
}

/// The lengths of the rows of one dimension.
#[derive(Clone)]
pub(super) enum Lengths {
    /// All of them are of this length.
    Same(usize),
    Each(Vec<usize>),
}

impl Lengths {
    pub fn get(&self, row: usize) -> usize {
        match self {
            Lengths::Same(length) => *length,
            Lengths::Each(lengths) => lengths[row],
        }
    }

    /// How many elements so many rows have together. None if there are too many to be counted.
    pub fn total(&self, rows: usize) -> Option<usize> {
        match self {
            Lengths::Same(length) => rows.checked_mul(*length),
            Lengths::Each(lengths) => lengths.iter().try_fold(0usize, |sum, length| sum.checked_add(*length)),
        }
    }

    /// The length of all rows, if it is one.
    pub fn same(&self) -> Option<usize> {
        match self {
            Lengths::Same(length) => Some(*length),
            Lengths::Each(lengths) => match lengths.split_first() {
                None => Some(0),
                Some((first, rest)) => rest.iter().all(|length| length == first).then_some(*first),
            },
        }
    }

    fn of_rows(&self, rows: Range<usize>) -> Lengths {
        match self {
            Lengths::Same(length) => Lengths::Same(*length),
            Lengths::Each(lengths) => Lengths::Each(lengths[rows].to_vec()),
        }
    }
}

impl Strip {
    /// A strip of no values.
    pub fn empty(elem: Elem, rank: usize) -> Strip {
        let elements = match elem {
            Elem::Prim(prim) => Elements::Prim(Data::empty(prim)),
            Elem::Ref(..) => Elements::Ref(Vec::new()),
        };
        Strip { dims: (0..rank).map(|_| Lengths::Each(Vec::new())).collect(), elements }
    }

    /// The strip of one value: a column of this type. `number` knows the cells of regions by the numbers that they have in the bytes.
    pub fn of_column(
        column: &Column,
        ty: &ColumnType,
        number: impl Fn(&Region, u32) -> u32,
    ) -> Option<Strip> {
        let mut strip = match column {
            Column::Scalar(_) => {
                Strip { dims: Vec::new(), elements: Elements::Prim(column.to_host()?.into_parts().1) }
            }
            Column::Ref(place) => Strip { dims: Vec::new(), elements: Elements::Ref(vec![place.cell()]) },
            Column::Array(_) => Strip::of_parts(column.to_parts(ty)?),
            Column::Region(_) | Column::Acc(_) | Column::Cert => return None,
        };
        if let (Elements::Ref(cells), Some(region)) = (&mut strip.elements, column.region()) {
            cells.iter_mut().filter(|cell| **cell != NO_CELL).for_each(|cell| *cell = number(region, *cell));
        }
        Some(strip)
    }

    fn of_parts(parts: Parts) -> Strip {
        let mut offsets = parts.offsets.into_iter();
        let lengths = |dim: Option<usize>| match dim {
            Some(length) => Lengths::Same(length),
            None => {
                let ends = offsets.next().unwrap_or_default();
                Lengths::Each(ends.windows(2).map(|ends| (ends[1] - ends[0]) as usize).collect())
            }
        };
        Strip { dims: parts.dims.into_iter().map(lengths).collect(), elements: parts.elements }
    }

    /// Adds a value: the field of a cell. `number` knows cells by the numbers that they have in the bytes.
    pub fn push(&mut self, field: Field, number: impl Fn(u32) -> u32) {
        let more = match (field, &mut self.elements) {
            (Field::Word(word), Elements::Ref(cells)) => return cells.push(number(word as u32)),
            (Field::Word(word), Elements::Prim(data)) => {
                let scalar = Scalar::from_bits(data.prim(), word);
                let value = scalar.and_then(|scalar| Column::Scalar(scalar).to_host());
                let value = value.unwrap_or_else(|| panic!("engine: a word of a cell is a scalar"));
                data.append(value.into_parts().1);
                return;
            }
            (Field::Array(parts), _) => Strip::of_parts(parts),
        };
        let mut rows = 1;
        for (dim, more) in self.dims.iter_mut().zip(&more.dims) {
            if let Lengths::Each(lengths) = dim {
                lengths.extend((0..rows).map(|row| more.get(row)));
            }
            rows = more.total(rows).unwrap_or_else(|| panic!("engine: an array in memory can be counted"));
        }
        match (&mut self.elements, more.elements) {
            (Elements::Prim(data), Elements::Prim(more)) => {
                data.append(more);
            }
            (Elements::Ref(cells), Elements::Ref(more)) => cells.extend(more.into_iter().map(number)),
            (Elements::Prim(_) | Elements::Ref(_), _) => {
                panic!("engine: a field of another type than its cell")
            }
        }
    }

    /// The strip of those of its values that are kept.
    pub fn select(&self, keep: &[bool]) -> Strip {
        let mut keep = keep.to_vec();
        let mut dims = Vec::new();
        for dim in &self.dims {
            let kept = |row: &usize| keep[*row];
            dims.push(match dim {
                Lengths::Same(length) => Lengths::Same(*length),
                Lengths::Each(lengths) => {
                    Lengths::Each((0..lengths.len()).filter(kept).map(|row| lengths[row]).collect())
                }
            });
            let rows = keep.iter().enumerate();
            keep = rows.flat_map(|(row, keep)| std::iter::repeat_n(*keep, dim.get(row))).collect();
        }
        let elements = match &self.elements {
            Elements::Ref(cells) => Elements::Ref(
                cells.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(cell, _)| *cell).collect(),
            ),
            Elements::Prim(data) => {
                let mut kept = Data::empty(data.prim());
                let mut at = 0;
                for run in keep.chunk_by(|a, b| a == b) {
                    if run[0] {
                        kept.append_range(data, at..at + run.len());
                    }
                    at += run.len();
                }
                Elements::Prim(kept)
            }
        };
        Strip { dims, elements }
    }

    /// The strip of as many values as there are choices, each the next of the strip that is chosen. Where none is, the place is kept: by zero,
    /// nowhere, or no elements.
    pub fn merge(choices: &[Option<usize>], strips: &[&Strip], elem: Elem, rank: usize) -> Strip {
        let mut rows: Vec<Option<usize>> = choices.to_vec();
        let mut dims = Vec::new();
        for level in 0..rank {
            let mut next = vec![0; strips.len()];
            let lengths: Vec<usize> = rows
                .iter()
                .map(|row| {
                    row.map_or(0, |strip| {
                        next[strip] += 1;
                        strips[strip].dims[level].get(next[strip] - 1)
                    })
                })
                .collect();
            rows = rows
                .iter()
                .zip(&lengths)
                .flat_map(|(row, length)| std::iter::repeat_n(*row, *length))
                .collect();
            dims.push(Lengths::Each(lengths));
        }
        let mut merged = Strip::empty(elem, 0).elements;
        let mut next = vec![0; strips.len()];
        for run in rows.chunk_by(|a, b| a == b) {
            let from = run[0].map(|strip| {
                next[strip] += run.len();
                (&strips[strip].elements, next[strip] - run.len()..next[strip])
            });
            match (&mut merged, from) {
                (Elements::Prim(data), None) => data.append_zeros(run.len()),
                (Elements::Ref(cells), None) => cells.extend(run.iter().map(|_| NO_CELL)),
                (Elements::Prim(data), Some((Elements::Prim(from), range))) => {
                    data.append_range(from, range);
                }
                (Elements::Ref(cells), Some((Elements::Ref(from), range))) => cells.extend(&from[range]),
                (Elements::Prim(_) | Elements::Ref(_), Some(_)) => {
                    panic!("engine: payloads in one slot differ")
                }
            }
        }
        Strip { dims, elements: merged }
    }

    /// Of each value, its own strip. The count is that of all values.
    pub fn rows(&self, count: usize) -> impl Iterator<Item = Strip> + '_ {
        let mut at = vec![0; self.dims.len() + 1];
        (0..count).map(move |_| {
            let mut rows = 1;
            let mut dims = Vec::with_capacity(self.dims.len());
            for (dim, at) in self.dims.iter().zip(&mut at) {
                let range = *at..*at + rows;
                *at = range.end;
                let own = dim.of_rows(range);
                rows = own.total(rows).unwrap_or_else(|| panic!("engine: an array in memory can be counted"));
                dims.push(own);
            }
            let at = &mut at[self.dims.len()];
            let range = *at..*at + rows;
            *at = range.end;
            let elements = match &self.elements {
                Elements::Ref(cells) => Elements::Ref(cells[range].to_vec()),
                Elements::Prim(data) => {
                    let mut own = Data::empty(data.prim());
                    own.append_range(data, range);
                    Elements::Prim(own)
                }
            };
            Strip { dims, elements }
        })
    }

    /// The one value as a column of this type. None if rows differ where they may not.
    pub fn into_column(self, ty: &ColumnType, region: &Region) -> Option<Column> {
        if !self.dims.is_empty() {
            let region = matches!(self.elements, Elements::Ref(_)).then(|| region.clone());
            return Some(Column::from_parts(self.into_parts(&ty.irregular)?, region));
        }
        Some(match self.elements {
            Elements::Prim(data) => Column::from_host(&Value::new(Vec::new(), data).ok()?),
            Elements::Ref(cells) => Column::from_cell(region.clone(), *cells.first()?),
        })
    }

    /// The one value as the field of a cell, with rows of different lengths where that is said. None if rows differ elsewhere.
    pub fn into_field(self, irregular: &[bool]) -> Option<Field> {
        if !self.dims.is_empty() {
            return self.into_parts(irregular).map(Field::Array);
        }
        match self.elements {
            Elements::Ref(cells) => cells.first().map(|cell| Field::Word((*cell).into())),
            Elements::Prim(data) => match Column::from_host(&Value::new(Vec::new(), data).ok()?) {
                Column::Scalar(scalar) => Some(Field::Word(scalar.bits())),
                Column::Ref(_) | Column::Array(_) | Column::Region(_) | Column::Acc(_) | Column::Cert => None,
            },
        }
    }

    fn into_parts(self, irregular: &[bool]) -> Option<Parts> {
        let mut parts = Parts { dims: Vec::new(), offsets: Vec::new(), elements: self.elements };
        let mut rows = 1;
        for (dim, irregular) in self.dims.iter().zip(irregular) {
            if *irregular {
                let mut end = 0i64;
                let ends = (0..rows).map(|row| {
                    end += dim.get(row) as i64;
                    end
                });
                parts.offsets.push(std::iter::once(0).chain(ends).collect());
                parts.dims.push(None);
            } else {
                parts.dims.push(Some(dim.same()?));
            }
            rows = dim.total(rows)?;
        }
        Some(parts)
    }
}
