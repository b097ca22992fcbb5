//! Views: what is read off an array by indices, and the same elements in another form.
//!
//! The adjoint of a view is one of the array behind it. Entries of the view stay entries, at places that are composed with those of the view, so that reading a row and then an
//! element of it is the same as reading the element.

use super::Reverse;
use super::adjoint::{Adjoint, At, Dense, Entry, inverse};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Dim, DimIndex, Exp, Lambda, Prim, Type, Var};

impl Reverse<'_, '_> {
    pub(super) fn index_back(&mut self, array: Var, slice: &[DimIndex], result: Var) {
        let Some(adjoint) = self.adjoints.remove(&result) else { return };
        let slice = self.w.slice(slice);
        let ty = self.w.ty_of(array);
        let whole: Vec<bool> = slice.iter().zip(ty.dims()).map(|(dim, size)| is_whole(dim, *size)).collect();
        let Adjoint { mut dense, entries } = adjoint;
        for entry in entries {
            match self.composed(&slice, &whole, &entry) {
                Some(entry) => self.add_entry(array, entry),
                None => {
                    let adjoint = Adjoint { dense, entries: vec![entry] };
                    dense = self.dense(result, adjoint);
                }
            }
        }
        let Some(dense) = dense else { return };
        let is_simple =
            slice.iter().zip(&whole).all(|(dim, whole)| *whole || matches!(dim, DimIndex::Fix(_)));
        if is_simple {
            let at = slice.iter().map(place_of).collect();
            let entry = Entry { at, value: dense.value, count: None, may_miss: false };
            self.add_entry(array, entry);
        } else if self.is_foreign(array)
            && let Some(entry) = self.entry_of_slice(&slice, &whole, dense.value)
        {
            self.add_entry(array, entry);
        } else {
            let base = self.take_owned(array);
            let Some(base) = base.var() else { return };
            let part = self.w.ty_of(result);
            let before = self.w.emit("before", part, Exp::index(base, slice.clone()));
            let value = self.w.add(before.into(), dense.value);
            let sum = self.w.emit("adjoint", ty, Exp::Array(ArrayExp::Update { array: base, slice, value }));
            self.add(array.into(), sum.into(), true);
        }
    }

    /// An entry of a slice, as one of the array.
    fn composed(&mut self, slice: &[DimIndex], whole: &[bool], entry: &Entry) -> Option<Entry> {
        let mut inner = entry.at.iter();
        let mut found = Vec::new();
        for (dim, whole) in slice.iter().zip(whole) {
            found.push(match dim {
                DimIndex::Fix(place) => (Some(*place), None),
                DimIndex::Slice { start, stride, .. } => match inner.next().unwrap_or(&At::Whole) {
                    At::Whole if *whole => (None, None),
                    At::Whole => return None,
                    At::Place(place) if *whole => (Some(*place), Some((Atom::i64(0), Atom::i64(1)))),
                    At::Place(place) => (Some(*place), Some((*start, *stride))),
                },
            });
        }
        let mut at = Vec::new();
        for (place, line) in found {
            at.push(match (place, line) {
                (None, _) => At::Whole,
                (Some(place), None) => At::Place(self.place_for_all(place, entry.count)),
                (Some(place), Some((start, stride))) => {
                    At::Place(self.place_on_line(place, (start, stride), entry.may_miss))
                }
            });
        }
        at.extend(inner);
        Some(Entry { at, ..entry.clone() })
    }

    /// One place for all of many entries.
    pub(super) fn place_for_all(&mut self, place: Atom, count: Option<Atom>) -> Atom {
        let Some(count) = count else { return place };
        let ty = Type::array(Prim::I64, vec![Dim::size(count)]);
        self.w.emit("places", ty, Exp::replicate(count, place)).into()
    }

    /// `start + place * stride`, of a number or of each number of an array. A place that may miss the slice is then negative, and stays it.
    fn place_on_line(&mut self, place: Atom, (start, stride): (Atom, Atom), may_miss: bool) -> Atom {
        if start == Atom::i64(0) && stride == Atom::i64(1) {
            return place;
        }
        let ty = self.w.b.atom_ty(place);
        let line = |r: &mut Self, place: Atom| {
            let step = r.w.i64(BinOp::Mul, place, stride);
            let there = r.w.i64(BinOp::Add, start, step);
            if !may_miss {
                return there;
            }
            let outside = r.w.bin(BinOp::Lt, Prim::I64, place, Atom::i64(0));
            r.w.choose(outside, Type::i64(), place, there)
        };
        let Some(places) = place.var().filter(|_| ty.is_array()) else { return line(self, place) };
        self.w.b.begin_body();
        let param = self.w.b.new_var("place", Type::i64());
        let there = line(self, param.into());
        let lambda = Lambda::new(vec![param], self.w.b.end_body(vec![there]));
        self.w.emit("places", ty.clone(), Exp::map(crate::writer::width(&ty), vec![places], lambda)).into()
    }

    /// Many entries for a dense slice, if it is one in one dimension.
    fn entry_of_slice(&mut self, slice: &[DimIndex], whole: &[bool], value: Atom) -> Option<Entry> {
        let is_part = |at: &usize| !whole[*at] && matches!(slice[*at], DimIndex::Slice { .. });
        let parts: Vec<usize> = (0..slice.len()).filter(is_part).collect();
        let [part] = parts[..] else { return None };
        let DimIndex::Slice { start, count, stride } = slice[part] else { return None };
        let mut at = Vec::new();
        for (place, dim) in slice.iter().enumerate() {
            at.push(match dim {
                DimIndex::Fix(place) => At::Place(self.place_for_all(*place, Some(count))),
                DimIndex::Slice { .. } if place == part => {
                    let ty = Type::array(Prim::I64, vec![Dim::size(count)]);
                    let range = ArrayExp::Range { prim: Prim::I64, count, start, step: stride };
                    At::Place(self.w.emit("places", ty, Exp::Array(range)).into())
                }
                DimIndex::Slice { .. } => At::Whole,
            });
        }
        // Of the value's dimensions, the one of the part comes first.
        let before = slice[..part].iter().filter(|dim| matches!(dim, DimIndex::Slice { .. })).count();
        let value = if before == 0 {
            value
        } else {
            let perm: Vec<usize> = std::iter::once(before).chain(0..before).collect();
            self.rearranged(value.var()?, &perm).into()
        };
        Some(Entry { at, value, count: Some(count), may_miss: false })
    }

    /// Dimension `i` of the result is dimension `perm[i]` of the array.
    pub(super) fn rearrange_back(&mut self, array: Var, perm: &[usize], result: Var) {
        let Some(adjoint) = self.adjoints.remove(&result) else { return };
        let Adjoint { mut dense, entries } = adjoint;
        for entry in entries {
            let mut at = vec![At::Whole; perm.len().max(entry.at.len())];
            let mut wholes = Vec::new();
            for to in 0..at.len() {
                let from = perm.get(to).copied().unwrap_or(to);
                at[from] = entry.at.get(to).copied().unwrap_or(At::Whole);
                if at[from] == At::Whole {
                    wholes.push(from);
                }
            }
            if wholes.is_sorted() {
                self.add_entry(array, Entry { at, ..entry });
            } else {
                dense = self.dense(result, Adjoint { dense, entries: vec![entry] });
            }
        }
        if let Some(Dense { value: Atom::Var(value), owned }) = dense {
            let value = self.rearranged(value, &inverse(perm));
            self.add(array.into(), value.into(), owned);
        }
    }

    /// The same elements in a type with other names of sizes.
    pub(super) fn coerce_back(&mut self, array: Var, result: Var) {
        let Some(adjoint) = self.adjoints.remove(&result) else { return };
        let ty = self.w.ty_of(array);
        let is_regular = |ty: &Type| !ty.dims().contains(&Dim::Irregular);
        if is_regular(&ty) && is_regular(self.w.old_ty(result)) {
            for entry in adjoint.entries {
                self.add_entry(array, entry);
            }
            self.coerced_back(array, &ty, adjoint.dense);
        } else {
            let dense = self.dense(result, adjoint);
            self.coerced_back(array, &ty, dense);
        }
    }

    fn coerced_back(&mut self, array: Var, ty: &Type, dense: Option<Dense>) {
        if let Some(Dense { value: Atom::Var(value), owned }) = dense {
            let value = if self.w.b.ty(value) == ty {
                value
            } else {
                self.w.emit("adjoint", ty.clone(), Exp::coerce(value, ty.dims().to_vec()))
            };
            self.add(array.into(), value.into(), owned);
        }
    }
}

fn place_of(dim: &DimIndex) -> At {
    match dim {
        DimIndex::Fix(place) => At::Place(*place),
        DimIndex::Slice { .. } => At::Whole,
    }
}

/// Whether a slice takes all of a dimension.
fn is_whole(dim: &DimIndex, size: Dim) -> bool {
    match dim {
        DimIndex::Fix(_) => false,
        DimIndex::Slice { start, count, stride } => {
            *start == Atom::i64(0) && *stride == Atom::i64(1) && Dim::Size(*count) == size
        }
    }
}
