//! Adjoints while they are added up.
//!
//! The adjoint of an array is a *dense* array, or some *entries*, or both: their sum. An index expression yields an entry, so that reading one element of an array costs as
//! little on the way back as it did before. Entries are added to a dense array where the array was bound, in place. In a lambda, the adjoint of an array from outside must not
//! become dense: each thread would have its own. There the entries leave the lambda (`maps`).
//!
//! ```text
//! x = xs[i, 3]        xs_adj: an entry at (i, 3) with the value x_adj
//! row = xs[i]         xs_adj: an entry at (i) with the row row_adj; entries at (j) of row are entries at (i, j)
//! ```

use super::Reverse;
use crate::writer::width;
use norn_ir::nest::{Atom, Dim, DimIndex, Exp, Lambda, Operator, Prim, Scalar, Type, Var};

#[derive(Default)]
pub struct Adjoint {
    pub dense: Option<Dense>,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
pub struct Dense {
    pub value: Atom,
    /// It is an array in memory of its own, bound in this body, and nobody else will use it.
    pub owned: bool,
}

/// Values at some places of an array.
#[derive(Clone)]
pub struct Entry {
    /// Of the first dimensions; those that are not mentioned are whole.
    pub at: Vec<At>,
    /// Of one entry, an element, row or slice with the dimensions that are whole. Of many, an array of these.
    pub value: Atom,
    /// How many entries there are, if there are many: places are arrays as long.
    pub count: Option<Atom>,
    /// The places may lie outside, and then nothing is there.
    pub may_miss: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum At {
    Whole,
    Place(Atom),
}

impl Entry {
    pub fn places(&self) -> Vec<Atom> {
        let place = |at: &At| match at {
            At::Whole => None,
            At::Place(place) => Some(*place),
        };
        self.at.iter().filter_map(place).collect()
    }
}

impl Reverse<'_, '_> {
    pub(super) fn add(&mut self, target: Atom, value: Atom, owned: bool) {
        let Some(var) = target.var().filter(|var| self.is_active(*var)) else { return };
        let dense = self.adjoints.get(&var).and_then(|adjoint| adjoint.dense);
        let dense = match dense {
            None => Dense { value, owned },
            Some(other) => Dense { value: self.w.add(other.value, value), owned: true },
        };
        self.adjoints.entry(var).or_default().dense = Some(dense);
    }

    pub(super) fn add_entry(&mut self, var: Var, entry: Entry) {
        if !self.is_active(var) {
            return;
        }
        if self.w.old_ty(var).dims().contains(&Dim::Irregular) {
            self.unsupported("an element of an array whose rows have different lengths");
        } else {
            self.adjoints.entry(var).or_default().entries.push(entry);
        }
    }

    pub(super) fn add_all(&mut self, target: Atom, adjoint: Adjoint) {
        if let Some(dense) = adjoint.dense {
            self.add(target, dense.value, dense.owned);
        }
        if let Some(var) = target.var() {
            adjoint.entries.into_iter().for_each(|entry| self.add_entry(var, entry));
        }
    }

    /// All of a variable's adjoint, which it has no longer; nothing if it has none.
    pub(super) fn take(&mut self, var: Var) -> Option<Dense> {
        let adjoint = self.adjoints.remove(&var)?;
        self.dense(var, adjoint)
    }

    pub(super) fn take_or_zeros(&mut self, var: Var) -> Atom {
        match self.take(var) {
            Some(dense) => dense.value,
            None => {
                let value = self.w.atom(var.into());
                self.w.zeros_like(value)
            }
        }
    }

    /// The same as a value that may be consumed.
    pub(super) fn take_owned(&mut self, var: Var) -> Atom {
        match self.take(var) {
            Some(dense) => self.owned(dense),
            None => {
                let value = self.w.atom(var.into());
                self.w.zeros_like(value)
            }
        }
    }

    pub(super) fn owned(&mut self, dense: Dense) -> Atom {
        match dense.value {
            Atom::Var(array) if !dense.owned && self.w.b.ty(array).is_array() => {
                self.w.array_copy(array).into()
            }
            value => value,
        }
    }

    /// The sum of an adjoint of a variable.
    pub(super) fn dense(&mut self, var: Var, adjoint: Adjoint) -> Option<Dense> {
        let Adjoint { dense, entries } = adjoint;
        if entries.is_empty() {
            return dense;
        }
        let base = match dense {
            Some(dense) => self.owned(dense),
            None => {
                let value = self.w.atom(var.into());
                self.w.zeros_like(value)
            }
        };
        let Some(mut base) = base.var() else { return dense };
        for entry in entries {
            base = self.add_to(base, entry);
        }
        Some(Dense { value: base.into(), owned: true })
    }

    /// The dense array, consumed, with entries added.
    fn add_to(&mut self, base: Var, entry: Entry) -> Var {
        let ty = self.w.b.ty(base).clone();
        match entry.count {
            None if !entry.may_miss => self.add_one(base, &ty, &entry),
            None => {
                let one = |r: &mut Self, value: Atom| {
                    let ty = r.w.b.atom_ty(value).array_of(Dim::size(Atom::i64(1)));
                    Atom::Var(r.w.emit("one", ty, Exp::array(vec![value])))
                };
                let at = entry
                    .at
                    .iter()
                    .map(|at| match at {
                        At::Whole => At::Whole,
                        At::Place(place) => At::Place(one(self, *place)),
                    })
                    .collect();
                let value = one(self, entry.value);
                self.add_many(base, &Entry { at, value, count: Some(Atom::i64(1)), may_miss: true })
            }
            Some(_) => self.add_many(base, &entry),
        }
    }

    fn add_one(&mut self, base: Var, ty: &Type, entry: &Entry) -> Var {
        let dims = ty.dims();
        let slice: Vec<DimIndex> = entry
            .at
            .iter()
            .zip(dims)
            .map(|(at, dim)| match (at, dim) {
                (At::Place(place), _) => DimIndex::Fix(*place),
                (At::Whole, Dim::Size(size)) => DimIndex::whole(*size),
                (At::Whole, Dim::Irregular | Dim::Result(_)) => DimIndex::whole(Atom::i64(0)),
            })
            .collect();
        let part = ty.with_dims(self.dims_of_entry(ty, &entry.at));
        let before = self.w.emit("before", part, Exp::index(base, slice.clone()));
        let value = self.w.add(before.into(), entry.value);
        let update = norn_ir::nest::ArrayExp::Update { array: base, slice, value };
        self.w.emit("adjoint", ty.clone(), Exp::Array(update))
    }

    /// A histogram. The dimensions with places come first in it.
    fn add_many(&mut self, base: Var, entry: &Entry) -> Var {
        let Some(count) = entry.count else { return base };
        let is_place = |at: &usize| matches!(entry.at[*at], At::Place(_));
        let (places, wholes): (Vec<usize>, Vec<usize>) = (0..entry.at.len()).partition(is_place);
        let perm: Vec<usize> = places.iter().chain(&wholes).copied().collect();
        let is_moved = perm.iter().enumerate().any(|(to, from)| to != *from);
        if places.is_empty() {
            let Some(values) = entry.value.var() else { return base };
            let sum = self.w.sum_rows(values);
            return self.w.add(base.into(), sum).var().unwrap_or(base);
        }
        let dest = if is_moved { self.rearranged_copy(base, &perm) } else { base };
        let dest_ty = self.w.b.ty(dest).clone();
        let row = dest_ty.with_dims(dest_ty.dims()[places.len()..].to_vec());
        let op = self.w.sum_of(&row);
        let mut inputs: Vec<Var> = entry.places().iter().filter_map(|place| place.var()).collect();
        inputs.extend(entry.value.var());
        self.w.b.begin_body();
        let mut params: Vec<Var> = places.iter().map(|_| self.w.b.new_var("at", Type::i64())).collect();
        params.push(self.w.b.new_var("value", row));
        let result = params.iter().map(|param| Atom::Var(*param)).collect();
        let lambda = Lambda::new(params, self.w.b.end_body(result));
        let hist = Operator::Hist { width: count, dests: vec![dest], op, inputs, lambda };
        let sum = self.w.emit("adjoint", dest_ty, Exp::Op(hist));
        if is_moved { self.rearranged_copy(sum, &inverse(&perm)) } else { sum }
    }

    fn rearranged_copy(&mut self, array: Var, perm: &[usize]) -> Var {
        let view = self.rearranged(array, perm);
        self.w.array_copy(view)
    }

    pub(super) fn rearranged(&mut self, array: Var, perm: &[usize]) -> Var {
        let ty = self.w.b.ty(array).clone();
        let dims = perm.iter().map(|from| ty.dims()[*from]).chain(ty.dims()[perm.len()..].iter().copied());
        let ty = ty.with_dims(dims.collect());
        self.w.emit("rearranged", ty, Exp::rearrange(array, perm.to_vec()))
    }

    /// The dimensions of one value of an entry.
    pub(super) fn dims_of_entry(&self, array: &Type, at: &[At]) -> Vec<Dim> {
        let whole = at.iter().zip(array.dims()).filter(|(at, _)| **at == At::Whole).map(|(_, dim)| *dim);
        whole.chain(array.dims()[at.len()..].iter().copied()).collect()
    }

    /// Whether all of these places, new indices of these dimensions, are inside.
    pub(super) fn inside(&mut self, places: &[Atom], dest: &Type) -> Atom {
        use norn_ir::nest::BinOp::{And, Le, Lt};
        let mut inside = Atom::bool(true);
        for (place, dim) in places.iter().zip(dest.dims()) {
            let Dim::Size(size) = dim else { continue };
            let low = self.w.bin(Le, Prim::I64, Atom::i64(0), *place);
            let high = self.w.bin(Lt, Prim::I64, *place, *size);
            let both = self.w.bin(And, Prim::Bool, low, high);
            inside = match inside {
                Atom::Const(Scalar::Bool(true)) => both,
                _ => self.w.bin(And, Prim::Bool, inside, both),
            };
        }
        inside
    }

    /// What is at these places of an array; zeros if they are outside.
    pub(super) fn at_or_zeros(&mut self, array: Var, places: &[Atom]) -> Atom {
        let ty = self.w.b.ty(array).clone();
        let inside = self.inside(places, &ty);
        let row = ty.with_dims(ty.dims()[places.len()..].to_vec());
        self.w.b.begin_body();
        let found = self.w.index(array, places);
        let then = self.w.b.end_body(vec![found]);
        self.w.b.begin_body();
        let zeros = self.w.zeros(&row);
        let els = self.w.b.end_body(vec![zeros]);
        self.w.emit("weight", row, Exp::if_(inside, then, els)).into()
    }

    /// An array's elements in the opposite order.
    pub(super) fn reversed(&mut self, array: Var) -> Var {
        use norn_ir::nest::BinOp::Sub;
        let ty = self.w.b.ty(array).clone();
        let count = width(&ty);
        let start = self.w.i64(Sub, count, Atom::i64(1));
        let slice = vec![DimIndex::Slice { start, count, stride: Atom::i64(-1) }];
        self.w.emit("reversed", ty, Exp::index(array, slice))
    }
}

pub fn inverse(perm: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; perm.len()];
    perm.iter().enumerate().for_each(|(to, from)| inverse[*from] = to);
    inverse
}
