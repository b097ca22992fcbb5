//! Random arguments for an entry point of a program that somebody wrote.
//!
//! Such a program expects something of its arguments, so most numbers are such that they could be sizes and indices: no
//! larger than the arrays. Numbers of all kinds come last, and floats stay such that the order of additions
//! does not matter much.

use crate::nestfuzz::inputs::{Maker, random_scalar};
use crate::rng::Rng;
use norn_interp::Value;
use norn_ir::nest::iface::payload_columns;
use norn_ir::nest::{Dim, Elem, Fun, IfaceId, IfaceShape, Prim, Prog, Scalar, Type};
use std::collections::HashMap;

/// The largest size of an array in its first dimension.
pub const LARGEST: usize = 20_000;
/// Arrays with more elements are not made.
const MOST_ELEMENTS: usize = 1 << 18;
/// A number that is alone may be a size in a program that has others, too.
const LARGEST_NUMBER: usize = 500;

/// How large arguments are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// All sizes are this one.
    Exactly(usize),
    /// Up to this.
    UpTo(usize),
    /// Small arrays of all numbers there are.
    Any,
}

impl Scale {
    /// In the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Scale> {
        let small = [Scale::Exactly(0), Scale::Exactly(1), Scale::UpTo(2), Scale::UpTo(3), Scale::UpTo(5)];
        let large = [10, 20, 50, 200, 1000, LARGEST].map(Scale::UpTo);
        small.into_iter().chain(large).chain([Scale::Any; 3])
    }

    pub fn size(self) -> usize {
        match self {
            Scale::Exactly(size) | Scale::UpTo(size) => size,
            Scale::Any => 5,
        }
    }

    /// Sizes to choose from.
    fn sizes(self, rng: &mut Rng) -> Vec<usize> {
        match self {
            Scale::Exactly(size) => vec![size],
            // Two of a kind are as likely as two that differ.
            Scale::UpTo(most) => vec![most, most, most - rng.below(most / 2 + 1), rng.below(most + 1)],
            Scale::Any => vec![0, 1, 2, 3, 5],
        }
    }
}

/// Whether values of all parameters can be made outside.
pub fn can_be_made(prog: &Prog, entry: usize) -> bool {
    prog.entries[entry].params.iter().all(|param| is_made_of_numbers(prog, param.ty))
}

fn is_made_of_numbers(prog: &Prog, id: IfaceId) -> bool {
    match &prog.ifaces[id.0 as usize].shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) => true,
        IfaceShape::OpaqueArray(elem, _) => is_made_of_numbers(prog, *elem),
        IfaceShape::Record(fields) => fields.iter().all(|(_, id)| is_made_of_numbers(prog, *id)),
        IfaceShape::Sum(constrs) => {
            constrs.iter().flat_map(|(_, ids)| ids).all(|id| is_made_of_numbers(prog, *id))
        }
        IfaceShape::Recursive(_) | IfaceShape::Opaque => false,
    }
}

/// The columns of arguments for an entry point. None if one cannot be made, or would be too large.
pub fn arguments(prog: &Prog, entry: usize, scale: Scale, rng: &mut Rng) -> Option<Vec<Value>> {
    let entry = &prog.entries[entry];
    let fun = &prog.funs[entry.fun.0 as usize];
    let mut tags = Vec::new();
    entry.params.iter().for_each(|param| add_tags(prog, param.ty, &mut tags));
    let params = &fun.params[fun.params.len() - tags.len()..];
    let (sizes, inner) = (scale.sizes(rng), [0, 1, 2, 3, 3, 5]);
    let mut known = HashMap::new();
    let mut values = Vec::new();
    for (param, constructors) in params.iter().zip(tags) {
        let Type::Value(Elem::Prim(prim), dims) = &fun.vars[param.var.0 as usize].ty else { return None };
        let numbers = Numbers::choose(scale, rng);
        let scalar: &dyn Fn(Prim, &mut Rng) -> Scalar = &|prim, rng| match constructors {
            Some(count) => Scalar::from_int(prim, rng.below(count) as i128),
            None if dims.is_empty() => numbers.draw(prim, scale.size().min(LARGEST_NUMBER), rng),
            None => numbers.draw(prim, scale.size(), rng),
        };
        let mut maker = Maker { known, sizes: &sizes, scalar };
        let dim = Dim::size(param.var);
        values.push(if is_size(fun, dim) {
            Value::Scalar(Scalar::I64(maker.size(dim, rng) as i64))
        } else {
            // Only one dimension is large, unless sizes are asked to be equal.
            if let Some((first, rest)) = dims.split_first()
                && !rest.is_empty()
                && scale.size() > 50
            {
                maker.size(*first, rng);
                maker.sizes = &inner;
            }
            let count: usize = dims.iter().map(|dim| maker.size(*dim, rng)).product();
            if count > MOST_ELEMENTS {
                return None;
            }
            maker.value(*prim, dims, rng)?
        });
        known = maker.known;
    }
    Some(values)
}

/// For each column of a value of this type, how many constructors there are if it says which.
fn add_tags(prog: &Prog, id: IfaceId, tags: &mut Vec<Option<usize>>) {
    match &prog.ifaces[id.0 as usize].shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) => tags.push(None),
        IfaceShape::OpaqueArray(elem, _) => add_tags(prog, *elem, tags),
        IfaceShape::Record(fields) => fields.iter().for_each(|(_, id)| add_tags(prog, *id, tags)),
        IfaceShape::Sum(constrs) => {
            let at = tags.len();
            tags.push(Some(constrs.len()));
            tags.resize(at + prog.ifaces[id.0 as usize].columns.len(), None);
            let first = payload_columns(&prog.ifaces, constrs);
            for (id, first) in constrs.iter().flat_map(|(_, ids)| ids).zip(first.into_iter().flatten()) {
                let mut own = Vec::new();
                add_tags(prog, *id, &mut own);
                tags.splice(at + first..at + first + own.len(), own);
            }
        }
        IfaceShape::Recursive(_) | IfaceShape::Opaque => {}
    }
}

fn is_size(fun: &Fun, dim: Dim) -> bool {
    fun.params.iter().any(|param| fun.vars[param.var.0 as usize].ty.dims().contains(&dim))
}

/// What numbers a value is made of.
#[derive(Clone, Copy)]
enum Numbers {
    /// Whole, and none negative: they could be indices.
    Indices,
    /// Small ones.
    Small,
    Any,
}

impl Numbers {
    fn choose(scale: Scale, rng: &mut Rng) -> Numbers {
        match (scale, rng.below(3)) {
            (Scale::Any, _) => Numbers::Any,
            (_, 0) => Numbers::Small,
            (_, _) => Numbers::Indices,
        }
    }

    /// A number for arrays of this size.
    fn draw(self, prim: Prim, size: usize, rng: &mut Rng) -> Scalar {
        match self {
            Numbers::Any => random_scalar(prim, rng),
            Numbers::Indices => Scalar::from_int(prim, rng.below(size.max(1)) as i128),
            Numbers::Small if prim.is_float() => {
                Scalar::from_float(prim, (rng.below(2049) as f64 - 1024.0) / 1024.0)
            }
            Numbers::Small => Scalar::from_int(prim, rng.below(9) as i128 - 4),
        }
    }
}
