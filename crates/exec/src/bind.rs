//! Columns against the types of an entry point: whether they fit, and the sizes they determine.

use crate::column::{Column, Elements};
use norn_ir::imp::{Entry, EntryDim, EntryElem, EntryType, Prim, Prog, Scalar};

/// Of each argument that is a scalar, its word; known once the columns have been seen. What occurs only in rows that are not there
/// can have any size. The error is a sentence.
pub fn bind(prog: &Prog, entry: &Entry, columns: &[Column]) -> Result<Vec<u64>, String> {
    let counts = entry.params.iter().map(|param| (param, prog.ifaces[param.ty.0 as usize].columns.len()));
    let names: Vec<&str> =
        counts.flat_map(|(param, count)| std::iter::repeat_n(param.name.as_str(), count)).collect();
    let before = entry.args.len().checked_sub(names.len());
    let (Some(before), true) = (before, columns.len() == names.len()) else {
        return Err(format!("{} takes {} columns, not {}.", entry.name, names.len(), columns.len()));
    };
    let mut known = Known { sizes: vec![None; entry.args.len()] };
    for (i, (column, name)) in columns.iter().zip(names).enumerate() {
        known.column(before + i, &entry.args[before + i], column, name)?;
    }
    Ok(known.sizes.into_iter().map(|size| size.unwrap_or(0) as u64).collect())
}

/// What the columns seen so far say about the arguments.
struct Known {
    sizes: Vec<Option<i64>>,
}

impl Known {
    fn column(&mut self, at: usize, ty: &EntryType, column: &Column, name: &str) -> Result<(), String> {
        match (ty, column) {
            (EntryType::Value(EntryElem::Prim(prim), dims), Column::Scalar(scalar))
                if dims.is_empty() && scalar.prim() == *prim =>
            {
                // An argument may itself be the size of arrays after it.
                if let Scalar::I64(size) = scalar {
                    self.sizes[at] = Some(*size);
                }
                Ok(())
            }
            (EntryType::Value(EntryElem::Ref(..), dims), Column::Ref(_)) if dims.is_empty() => Ok(()),
            (EntryType::Value(elem, dims), Column::Array(array))
                if is_elem(*elem, array.elements()) && has_rank(array.dims(), dims) =>
            {
                let counts: Vec<usize> = array.offsets().iter().map(|level| level.len()).collect();
                self.array(array.dims(), &counts, dims, name)
            }
            (EntryType::Value(EntryElem::Prim(prim), dims), Column::Held(array))
                if array.prim() == *prim && has_rank(array.dims(), dims) =>
            {
                let counts: Vec<usize> = array.offset_counts().collect();
                self.array(array.dims(), &counts, dims, name)
            }
            (
                EntryType::Region | EntryType::Value(..),
                Column::Scalar(_) | Column::Ref(_) | Column::Array(_) | Column::Held(_),
            ) => Err(format!("The argument {name} has not the type of its parameter.")),
        }
    }

    /// The sizes that an array determines, which others must not contradict. Of each `?` it is known how many offsets there are.
    fn array(
        &mut self,
        found: &[Option<usize>],
        offsets: &[usize],
        dims: &[EntryDim],
        name: &str,
    ) -> Result<(), String> {
        let mut offsets = offsets.iter();
        for (dim, found) in dims.iter().zip(found) {
            let Some(found) = found.map(|size| size as i64) else {
                // Rows that are not there have no sizes.
                if offsets.next().is_some_and(|count| *count == 1) {
                    return Ok(());
                }
                continue;
            };
            let expected = match dim {
                EntryDim::Arg(at) => *self.sizes[*at].get_or_insert(found),
                EntryDim::Const(size) => *size,
                EntryDim::Irregular | EntryDim::Result(_) => continue,
            };
            if expected != found {
                return Err(format!(
                    "The argument {name} has a dimension of size {found}, but {expected} was expected."
                ));
            }
        }
        Ok(())
    }
}

fn is_elem(elem: EntryElem, elements: &Elements) -> bool {
    match (elem, elements) {
        (EntryElem::Prim(prim), Elements::Prim(data)) => data.prim() == prim,
        (EntryElem::Ref(..), Elements::Ref(_)) => true,
        (EntryElem::Prim(_), Elements::Ref(_)) | (EntryElem::Ref(..), Elements::Prim(_)) => false,
    }
}

fn has_rank(found: &[Option<usize>], dims: &[EntryDim]) -> bool {
    dims.len() == found.len()
        && dims.iter().zip(found).all(|(dim, size)| (*dim == EntryDim::Irregular) == size.is_none())
}

/// How many words the values of a type are: a scalar, a ref or a region one, an array a pointer and a block for each part.
pub fn words(ty: &EntryType) -> usize {
    match ty {
        EntryType::Region => 1,
        EntryType::Value(_, dims) if dims.is_empty() => 1,
        EntryType::Value(_, dims) => 2 * parts(dims.iter().map(|dim| *dim == EntryDim::Irregular)),
    }
}

/// How many parts an array has whose dimensions are `?` or not.
pub fn parts(irregular: impl Iterator<Item = bool>) -> usize {
    1 + irregular.skip(1).filter(|is| *is).count()
}

/// The type of what lies in memory.
pub fn elem_prim(elem: EntryElem) -> Prim {
    match elem {
        EntryElem::Prim(prim) => prim,
        EntryElem::Ref(..) => Prim::U32,
    }
}
