//! Places that are an index of a map plus a constant: what a stencil reads of neighbours comes back from neighbours.
//!
//! ```text
//! vs = map n (is) \i { f us[i - 1] }       us_adj[p] = if p + 1 < n then what iteration p + 1 adds else 0
//! ```
//!
//! So the adjoint of a stencil is a stencil, and no histogram. To see that, the return sweep knows of each new number whether it is on a *line*: an index plus a constant, perhaps clamped to the array,
//! as in `us[i64.max 0 (i64.min (n - 1) (i + 1))]`. What is clamped comes back at the border, which is known to be few elements.
//!
//! Where a condition decides between such places, as it does in `rotate` and in periodic stencils, each of them has the value if it is chosen, and zero otherwise.
//!
//! Refuses a small map that reads a part of a long array at an offset, which would make all of the array. Those are histograms.

use super::Reverse;
use super::adjoint::{At, Entry};
use norn_ir::nest::{Atom, BinOp, Body, ControlExp, Dim, Exp, Prim, Scalar, ScalarExp, Stm, Type, Var};

/// From so far outside, elements are clamped.
const BORDER: i64 = 4;

/// Between so many places a condition may decide.
const CHOICES: usize = 4;

/// A number that is another plus a constant and what does not change with it, and then perhaps clamped: to 0, and to what is below a size.
#[derive(Clone, Copy, PartialEq)]
pub struct Line {
    pub base: Var,
    offset: i64,
    by: Option<Atom>,
    is_clamped: bool,
    below: Option<Var>,
}

impl Line {
    fn of(base: Var) -> Line {
        Line { base, offset: 0, by: None, is_clamped: false, below: None }
    }

    /// Nothing but the index.
    pub fn is_index(&self) -> bool {
        *self == Line::of(self.base)
    }

    fn is_straight(&self) -> bool {
        !self.is_clamped && self.below.is_none()
    }
}

/// A number that is one of two.
pub struct Choice {
    cond: Atom,
    places: [Atom; 2],
}

impl Reverse<'_, '_> {
    /// What a statement that has been written again computes may be on a line.
    pub(super) fn note_line(&mut self, stm: &Stm, exp: &ScalarExp) {
        let line = match exp {
            ScalarExp::Bin(op, Prim::I64, x, y) => {
                let (x, y) = (self.w.atom(*x), self.w.atom(*y));
                self.line_of(*op, x, y)
            }
            _ => None,
        };
        if let (Some(line), Some(var)) = (line, self.w.atom(stm.vars[0].into()).var()) {
            self.lines.insert(var, line);
        }
    }

    pub(super) fn line(&self, var: Var) -> Line {
        self.lines.get(&var).copied().unwrap_or(Line::of(var))
    }

    fn line_of(&mut self, op: BinOp, x: Atom, y: Atom) -> Option<Line> {
        match (op, x, y) {
            (BinOp::Add, Atom::Var(x), Atom::Const(Scalar::I64(y)))
            | (BinOp::Add, Atom::Const(Scalar::I64(y)), Atom::Var(x)) => self.further(x, y),
            (BinOp::Sub, Atom::Var(x), Atom::Const(Scalar::I64(y))) => self.further(x, y.checked_neg()?),
            (BinOp::Add, Atom::Var(x), Atom::Var(y)) => {
                self.further_by(x, BinOp::Add, y).or_else(|| self.further_by(y, BinOp::Add, x))
            }
            (BinOp::Sub, Atom::Var(x), Atom::Var(y)) => self.further_by(x, BinOp::Sub, y),
            (BinOp::Max, Atom::Var(x), Atom::Const(Scalar::I64(0)))
            | (BinOp::Max, Atom::Const(Scalar::I64(0)), Atom::Var(x)) => {
                Some(Line { is_clamped: true, ..self.line(x) })
            }
            (BinOp::Min, Atom::Var(x), Atom::Var(y)) => {
                let (x, y) = (self.line(x), self.line(y));
                let (line, size) = if self.indices.contains(&x.base) { (x, y) } else { (y, x) };
                let is_last = size == Line { offset: -1, ..Line::of(size.base) };
                (is_last && line.below.is_none()).then_some(Line { below: Some(size.base), ..line })
            }
            _ => None,
        }
    }

    fn further(&self, var: Var, by: i64) -> Option<Line> {
        let line = self.line(var);
        let offset = line.offset.checked_add(by)?;
        line.is_straight().then_some(Line { offset, ..line })
    }

    /// By what is the same for all indices of the map.
    fn further_by(&mut self, var: Var, op: BinOp, by: Var) -> Option<Line> {
        let line = self.line(var);
        if !self.indices.contains(&line.base) || !line.is_straight() || !self.is_further_out(by, line.base) {
            return None;
        }
        let before = line.by.unwrap_or(Atom::i64(0));
        let by = self.far_outside(&[before, by.into()], |r| r.w.i64(op, before, by.into()));
        Some(Line { by: Some(by), ..line })
    }

    /// Whether a number is known where the lambda of an index stands.
    fn is_further_out(&self, var: Var, index: Var) -> bool {
        let inner = (1..self.w.b.depth()).find(|inner| !self.w.b.is_visible(index, *inner));
        inner.is_some_and(|inner| self.w.b.is_visible(var, inner))
    }

    /// Of a number that a branch chooses between numbers which take next to nothing to compute: what each of them is.
    pub(super) fn note_choice(&mut self, stm: &Stm, cond: Atom, branches: [&Body; 2]) {
        let is_place = stm.vars.len() == 1 && *self.w.old_ty(stm.vars[0]) == Type::i64();
        if self.indices.is_empty() || !is_place || !branches.iter().all(|branch| is_harmless(branch)) {
            return;
        }
        let Some(var) = self.w.atom(stm.vars[0].into()).var() else { return };
        let cond = self.w.atom(cond);
        let [then, els] = branches.map(|branch| {
            self.forward_sweep(branch);
            self.w.atom(branch.result[0])
        });
        self.choices.insert(var, Choice { cond, places: [then, els] });
    }

    /// An entry of a lambda with one place that is chosen among several, as an entry for each of these, if that spares the histogram.
    pub(super) fn by_choices(&mut self, ty: &Type, entry: Entry, width: Atom, own: &[Var]) -> Vec<Entry> {
        let chosen = |at: &At| match at {
            At::Place(Atom::Var(place)) => self.choices.contains_key(place),
            At::Place(Atom::Const(_)) | At::Whole => false,
        };
        let (None, Some(dim)) = (entry.count, entry.at.iter().position(chosen)) else { return vec![entry] };
        let At::Place(place) = entry.at[dim] else { return vec![entry] };
        let mut chosen = Vec::new();
        self.chosen_places(place, &mut Vec::new(), &mut chosen);
        let mut found = Vec::new();
        for (conds, place) in chosen {
            let mut one = Entry { may_miss: true, ..entry.clone() };
            one.at[dim] = At::Place(place);
            self.name_outside(&mut one);
            if found.len() == CHOICES || self.reach(ty, &one, width, own).is_none() {
                return vec![entry];
            }
            found.push((conds, one));
        }
        let value_ty = self.w.b.atom_ty(entry.value);
        let masked = found.into_iter().map(|(conds, one)| {
            let value = conds.into_iter().fold(one.value, |value, (cond, holds)| {
                let zero = self.w.zeros(&value_ty);
                let (then, els) = if holds { (value, zero) } else { (zero, value) };
                self.w.choose(cond, value_ty.clone(), then, els)
            });
            Entry { value, ..one }
        });
        masked.collect()
    }

    fn chosen_places(
        &self,
        place: Atom,
        conds: &mut Vec<(Atom, bool)>,
        found: &mut Vec<(Vec<(Atom, bool)>, Atom)>,
    ) {
        match place.var().and_then(|var| self.choices.get(&var)) {
            Some(Choice { cond, places }) => {
                for (place, holds) in places.iter().zip([true, false]) {
                    conds.push((*cond, holds));
                    self.chosen_places(*place, conds, found);
                    conds.pop();
                }
            }
            None => found.push((conds.clone(), place)),
        }
    }

    /// The same place, computed where what it is computed of is known; nothing, if that is not outside of so many bodies.
    pub(super) fn place_outside(&mut self, place: Atom, inner: usize) -> Option<Atom> {
        let Atom::Var(var) = place else { return Some(place) };
        if self.w.b.is_visible(var, inner) {
            return Some(place);
        }
        let line = self.line(var);
        let of: Vec<Atom> =
            std::iter::once(line.base).chain(line.below).map(Atom::Var).chain(line.by).collect();
        if !of.iter().all(|atom| atom.var().is_none_or(|var| self.w.b.is_visible(var, inner))) {
            return None;
        }
        let place = self.far_outside(&of, |r| {
            let mut place = r.w.i64(BinOp::Add, line.base.into(), Atom::i64(line.offset));
            if let Some(by) = line.by {
                place = r.w.i64(BinOp::Add, place, by);
            }
            if let Some(size) = line.below {
                let last = r.w.i64(BinOp::Sub, size.into(), Atom::i64(1));
                place = r.w.bin(BinOp::Min, Prim::I64, place, last);
            }
            if line.is_clamped {
                place = r.w.bin(BinOp::Max, Prim::I64, place, Atom::i64(0));
            }
            place
        });
        if let Some(var) = place.var() {
            self.lines.insert(var, line);
        }
        Some(place)
    }

    /// Whether the elements of a dimension can be made of the values at these places, one for each index of a map with this width.
    pub(super) fn can_shift(&self, line: &Line, dim: Dim, width: Atom) -> bool {
        let Dim::Size(size) = dim else { return false };
        let is_all = self.has_size(dim, width);
        let is_near = match (size, width) {
            (Atom::Var(size), Atom::Var(width)) => {
                let (size, width) = (self.line(size), self.line(width));
                size.base == width.base && size.is_straight() && width.is_straight()
            }
            _ => false,
        };
        // Outside of all lambdas the adjoint is dense anyway.
        let is_dense = is_all || is_near || self.level == 1;
        let fits = |is_clamped: bool| !is_clamped || is_all && line.offset.abs() <= BORDER;
        let is_below = line.below.is_none_or(|below| is_all && self.has_size(dim, below.into()));
        let is_simple = line.by.is_none() || line.is_straight();
        is_dense
            && is_below
            && is_simple
            && fits(line.is_clamped && line.offset < 0)
            && fits(line.below.is_some())
    }

    /// The entry whose values, one for each index of a map, belong to a line in a dimension.
    pub(super) fn add_shifted(&mut self, var: Var, entry: Entry, own: usize, line: &Line, values: Var) {
        let Dim::Size(size) = self.w.ty_of(var).dims()[own] else { return };
        let shifted = self.generate("shifted", size, |r, at| r.row_from(values, line, at, &mut Vec::new()));
        self.add_own(var, Entry { at: entry.at, value: shifted.into(), ..entry }, own, shifted);
    }

    /// A row of a dimension, element by element: what comes from the values that belong there.
    fn row_from(&mut self, values: Var, line: &Line, at: Atom, inner: &mut Vec<Atom>) -> Atom {
        let ty = self.w.b.ty(values).clone();
        if let Some(Dim::Size(size)) = ty.dims().get(inner.len() + 1).copied() {
            let row = self.generate("shifted", size, |r, place| {
                inner.push(place);
                r.row_from(values, line, at, inner)
            });
            return row.into();
        }
        let prim = ty.elem().and_then(|elem| elem.prim()).unwrap_or(Prim::F64);
        let width = crate::writer::width(&ty);
        let mut place = self.w.i64(BinOp::Sub, at, Atom::i64(line.offset));
        if let Some(by) = line.by {
            place = self.w.i64(BinOp::Sub, place, by);
        }
        let low = self.w.bin(BinOp::Le, Prim::I64, Atom::i64(0), place);
        let high = self.w.bin(BinOp::Lt, Prim::I64, place, width);
        let inside = self.w.bin(BinOp::And, Prim::Bool, low, high);
        let mut sum = self.value_if(inside, values, place, inner);
        let last = self.w.i64(BinOp::Sub, width, Atom::i64(1));
        let border = match line.offset {
            offset if offset < 0 && line.is_clamped => Some(Atom::i64(0)),
            offset if offset > 0 && line.below.is_some() => Some(last),
            _ => None,
        };
        let Some(border) = border else { return sum };
        let is_border = self.w.bin(BinOp::Eq, Prim::I64, at, border);
        for number in 0..line.offset.abs() {
            let place = match border {
                Atom::Const(_) => Atom::i64(number),
                Atom::Var(_) => self.w.i64(BinOp::Sub, last, Atom::i64(number)),
            };
            let is_there = self.w.bin(BinOp::Lt, Prim::I64, Atom::i64(number), width);
            let is_clamped = self.w.bin(BinOp::And, Prim::Bool, is_border, is_there);
            let value = self.value_if(is_clamped, values, place, inner);
            sum = self.w.bin(BinOp::Add, prim, sum, value);
        }
        sum
    }

    fn value_if(&mut self, cond: Atom, values: Var, place: Atom, inner: &[Atom]) -> Atom {
        let ty = self.w.b.ty(values).with_dims(Vec::new());
        self.w.b.begin_body();
        let places: Vec<Atom> = std::iter::once(place).chain(inner.iter().copied()).collect();
        let value = self.w.index(values, &places);
        let then = self.w.b.end_body(vec![value]);
        self.w.b.begin_body();
        let zero = self.w.zeros(&ty);
        let els = self.w.b.end_body(vec![zero]);
        self.w.emit("value", ty, Exp::if_(cond, then, els)).into()
    }
}

/// Whether it can be computed although it is not chosen: a few numbers of integers, without a failure.
fn is_harmless(body: &Body) -> bool {
    let is_harmless_stm = |stm: &Stm| {
        stm.certs.is_empty()
            && match &stm.exp {
                Exp::Scalar(ScalarExp::Atom(_)) => true,
                Exp::Scalar(ScalarExp::Bin(op, ..)) => {
                    use BinOp::{Add, And, Eq, Le, Lt, Max, Min, Mul, Or, Sub};
                    matches!(op, Add | Sub | Mul | Min | Max | Lt | Le | Eq | And | Or)
                }
                Exp::Control(ControlExp::If { cond: _, then, els }) => is_harmless(then) && is_harmless(els),
                Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => false,
            }
    };
    body.stms.len() <= CHOICES && body.stms.iter().all(is_harmless_stm)
}
