//! Which arrays a group reads in windows: neighbouring rows that follow from the rows of a part.
//!
//! A map over a range reads other arrays at indices that it computes from the number of its row. From the first and the last row of a part follows between which
//! bounds an index is, by interval arithmetic on the statements that make it. So the halo of a stencil is a window, whether it ends at the
//! borders of the array (`max (i-1) 0`, `min (i+1) (n-1)`) or wraps around (`(i+1) % n`): then only the parts at the borders read all.
//!
//! ```text
//! map n (is) \(i: i64) {                              window (xs) \(from: i64, count: i64) {
//!   let a: i64 = sub.i64 i 1i64                         let end: i64 = add.i64 from count
//!   let b: i64 = max.i64 a 0i64                 =>      let last: i64 = sub.i64 end 1i64
//!   let x: f32 = index xs [b]                           .. the bounds of `a` and of `b` for rows from `from` to `last`, within the array
//! ```
//!
//! An index has bounds by its making: the number of the row has; sums, differences, the smaller and the larger of what has bounds or is the same for all rows have, products with
//! what is the same, quotients by positive constants, and remainders. If any mention of an array in the group is another, all of the array is read. An index that is computed but not used, as in a
//! branch that is not taken, may lie outside of the array; so windows are cut off at its ends.

use super::Remade;
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, DimIndex, Exp, Lambda, Prim, Scalar, ScalarExp, Stm, Type, Var,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An array, and which rows a part needs of it.
pub struct Windowed {
    pub array: Var,
    pub need: Lambda,
}

pub fn windows(names: &mut Names, remade: &HashMap<Var, Remade>, members: &[Stm]) -> Vec<Windowed> {
    let mut reads = Reads::default();
    let mut all = Vec::new();
    for stm in members {
        let inside = mentions::bound_inside(stm);
        let mut bounded = Bounded { params: Vec::new(), known: HashSet::new(), stms: Vec::new(), inside };
        let applied = stm.exp.op().and_then(|op| op.applied());
        let lambda = applied.as_ref().map(|applied| applied.lambda);
        if let Some(applied) = &applied {
            bounded.find_params(names, remade, applied.inputs, &applied.lambda.params);
            bounded.body(&applied.lambda.body, &mut reads, all.len());
        }
        // Whatever is in no lambda for rows is not looked at.
        stm.for_each_part(&mut |part| match part {
            Part::Lambda(other) if lambda.is_some_and(|lambda| std::ptr::eq(lambda, other)) => {}
            Part::Lambda(lambda) => mentions::in_lambda(&names.vars, lambda, &mut reads.whole),
            Part::Body(body) => body.stms.iter().for_each(|stm| {
                mentions::in_stm(&names.vars, stm, &mut reads.whole);
            }),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        reads.whole.extend(stm.exp.op().into_iter().flat_map(|op| op.dests()));
        all.push(bounded);
    }
    let Reads { at, whole } = reads;
    let mut found = Vec::new();
    for (array, indices) in at {
        let is_made = members.iter().any(|stm| stm.vars.contains(&array));
        let some_vary = indices.iter().any(|(member, index)| all[*member].is_known(*index));
        if !whole.contains(&array) && !is_made && some_vary {
            found.extend(need(names, &all, array, &indices, members[0].span));
        }
    }
    found
}

/// How the lambdas of a group read arrays.
#[derive(Default)]
struct Reads {
    /// The first indices at which an array is read, with the member that does.
    at: BTreeMap<Var, Vec<(usize, Atom)>>,
    /// What is read in other ways, among others.
    whole: Vec<Var>,
}

/// What has bounds that follow from those of the number of the row, in the lambda of a member.
struct Bounded {
    /// Parameters that are that number, and the number of the first row.
    params: Vec<(Var, Atom)>,
    known: HashSet<Var>,
    /// What makes them, in order.
    stms: Vec<Stm>,
    /// What the member binds inside: all else is the same for all rows.
    inside: HashSet<Var>,
}

impl Bounded {
    fn find_params(&mut self, names: &Names, remade: &HashMap<Var, Remade>, inputs: &[Var], params: &[Var]) {
        let mut params = params.iter();
        for input in inputs {
            if names.ty(*input).has_irregular_rows() {
                params.next();
            }
            let Some(param) = params.next() else { return };
            if let Some(Remade::Range { prim: Prim::I64, start, step }) = remade.get(input)
                && *step == Atom::i64(1)
            {
                self.params.push((*param, *start));
                self.known.insert(*param);
            }
        }
    }

    fn is_known(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.known.contains(&var))
    }

    fn is_steady(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.inside.contains(&var))
    }

    fn body(&mut self, body: &Body, reads: &mut Reads, member: usize) {
        for stm in &body.stms {
            match &stm.exp {
                Exp::Scalar(exp) if self.has_bounds(exp) => {
                    self.known.extend(&stm.vars);
                    self.stms.push(stm.clone());
                }
                Exp::Array(ArrayExp::Index { array, slice }) if !self.inside.contains(array) => {
                    match slice.first() {
                        Some(DimIndex::Fix(index)) if self.is_known(*index) || self.is_steady(*index) => {
                            reads.at.entry(*array).or_default().push((member, *index));
                        }
                        Some(_) | None => reads.whole.push(*array),
                    }
                }
                _ => stm.for_each_part(&mut |part| match part {
                    Part::Atom(atom) => reads.whole.extend(atom.var()),
                    Part::Var(var) => reads.whole.push(*var),
                    Part::Binder(_) => {}
                    Part::Body(body) => self.body(body, reads, member),
                    Part::Lambda(lambda) => self.body(&lambda.body, reads, member),
                }),
            }
        }
        reads.whole.extend(body.result.iter().filter_map(|atom| atom.var()));
    }

    fn has_bounds(&self, exp: &ScalarExp) -> bool {
        let is_known = |atom: &Atom| self.is_known(*atom);
        let fits = |atom: &Atom| self.is_known(*atom) || self.is_steady(*atom);
        let is_positive = |atom: &Atom| matches!(atom, Atom::Const(Scalar::I64(value)) if *value > 0);
        match exp {
            ScalarExp::Atom(x) => is_known(x),
            ScalarExp::Bin(op, Prim::I64, x, y) => match op {
                BinOp::Add | BinOp::Sub | BinOp::Min | BinOp::Max => {
                    (is_known(x) || is_known(y)) && fits(x) && fits(y)
                }
                BinOp::Mul => is_known(x) && self.is_steady(*y) || self.is_steady(*x) && is_known(y),
                BinOp::Div | BinOp::Quot => is_known(x) && is_positive(y),
                BinOp::Mod | BinOp::Rem => is_known(x) && self.is_steady(*y),
                _ => false,
            },
            ScalarExp::Un(..)
            | ScalarExp::Bin(..)
            | ScalarExp::Tri(..)
            | ScalarExp::Convert { .. }
            | ScalarExp::Workers
            | ScalarExp::Tunable(_) => false,
        }
    }
}

/// Between which rows of an array all these indices are, for the rows of a part.
fn need(
    names: &mut Names,
    all: &[Bounded],
    array: Var,
    indices: &[(usize, Atom)],
    span: Span,
) -> Option<Windowed> {
    let length = names.ty(array).dims().first()?.atom()?;
    let from = names.fresh("from", Type::i64());
    let count = names.fresh("count", Type::i64());
    let mut out = Intervals { names, stms: Vec::new(), span };
    let end = out.bin("end", BinOp::Add, from.into(), count.into());
    let last = out.bin("last", BinOp::Sub, end, Atom::i64(1));
    let mut found: Option<Interval> = None;
    for (member, bounded) in all.iter().enumerate() {
        let these = indices.iter().filter(|(of, _)| *of == member).map(|(_, index)| *index);
        for next in out.of(bounded, (from.into(), last), &these.collect::<Vec<Atom>>()) {
            found = Some(match found {
                Some(found) => out.around(found, next),
                None => next,
            });
        }
    }
    let (least, most) = found?;
    let first = out.bin("first", BinOp::Max, least, Atom::i64(0));
    let first = out.bin("first", BinOp::Min, first, length);
    let behind = out.bin("behind", BinOp::Add, most, Atom::i64(1));
    let behind = out.bin("behind", BinOp::Min, behind, length);
    let size = out.bin("size", BinOp::Sub, behind, first);
    let size = out.bin("size", BinOp::Max, size, Atom::i64(0));
    let body = Body { stms: out.stms, result: vec![first, size] };
    Some(Windowed { array, need: Lambda::new(vec![from, count], body) })
}

/// The least and the most that a number can be.
type Interval = (Atom, Atom);

/// Statements that compute intervals.
struct Intervals<'a> {
    names: &'a mut Names,
    stms: Vec<Stm>,
    span: Span,
}

impl Intervals<'_> {
    fn bin(&mut self, name: &str, op: BinOp, x: Atom, y: Atom) -> Atom {
        let prim = op.result(Prim::I64).unwrap_or(Prim::I64);
        let var = self.names.fresh(name, Type::scalar(prim));
        self.stms.push(Stm::new(vec![var], Exp::bin(op, Prim::I64, x, y), self.span));
        var.into()
    }

    fn both(&mut self, op: BinOp, x: Interval, y: Interval) -> Interval {
        (self.bin("least", op, x.0, y.0), self.bin("most", op, x.1, y.1))
    }

    fn around(&mut self, x: Interval, y: Interval) -> Interval {
        let end = |this: &mut Self, op: BinOp, x: Atom, y: Atom| match x == y {
            true => x,
            false => this.bin(if op == BinOp::Min { "least" } else { "most" }, op, x, y),
        };
        (end(self, BinOp::Min, x.0, y.0), end(self, BinOp::Max, x.1, y.1))
    }

    /// Those of these indices, when the number of the row is in the interval.
    fn of(&mut self, bounded: &Bounded, rows: Interval, indices: &[Atom]) -> Vec<Interval> {
        let mut live: Vec<Var> = indices.iter().filter_map(|atom| atom.var()).collect();
        let mut known: HashMap<Var, Interval> = HashMap::new();
        if !live.is_empty() {
            for (param, start) in &bounded.params {
                let rows = match *start == Atom::i64(0) {
                    true => rows,
                    false => self.both(BinOp::Add, (*start, *start), rows),
                };
                known.insert(*param, rows);
            }
            for stm in mentions::needed(&self.names.vars, &bounded.stms, &mut live) {
                if let Exp::Scalar(exp) = &stm.exp {
                    let interval = self.made_by(exp, &known);
                    known.insert(stm.vars[0], interval);
                }
            }
        }
        indices.iter().map(|index| interval(&known, *index)).collect()
    }

    fn made_by(&mut self, exp: &ScalarExp, known: &HashMap<Var, Interval>) -> Interval {
        match exp {
            ScalarExp::Bin(op, Prim::I64, x, y) => {
                let (x, y) = (interval(known, *x), interval(known, *y));
                match op {
                    BinOp::Sub => self.both(BinOp::Sub, x, (y.1, y.0)),
                    // One of the two is the same for all rows, and may be negative.
                    BinOp::Mul => {
                        let (a, b) = self.both(BinOp::Mul, x, y);
                        self.around((a, a), (b, b))
                    }
                    BinOp::Mod => self.remainder(BinOp::Div, BinOp::Mod, x, y.0),
                    BinOp::Rem => self.remainder(BinOp::Quot, BinOp::Rem, x, y.0),
                    op => self.both(*op, x, y),
                }
            }
            ScalarExp::Atom(x) => interval(known, *x),
            ScalarExp::Un(..)
            | ScalarExp::Bin(..)
            | ScalarExp::Tri(..)
            | ScalarExp::Convert { .. }
            | ScalarExp::Workers
            | ScalarExp::Tunable(_) => panic!("fission: a number without bounds has some"),
        }
    }

    /// Where all quotients are the same, remainders grow as numbers do; otherwise they are any. A divisor that is not positive leaves no index but 0.
    fn remainder(&mut self, quotient: BinOp, remainder: BinOp, x: Interval, by: Atom) -> Interval {
        let by = self.bin("by", BinOp::Max, by, Atom::i64(1));
        let quotients = self.both(quotient, x, (by, by));
        let same = self.bin("same", BinOp::Eq, quotients.0, quotients.1);
        let var = self.names.fresh("same", Type::i64());
        let exp = Exp::convert(Prim::Bool, Prim::I64, same);
        self.stms.push(Stm::new(vec![var], exp, self.span));
        let least = self.bin("least", remainder, x.0, by);
        let least = self.bin("least", BinOp::Mul, least, var.into());
        let most = self.bin("most", remainder, x.1, by);
        let largest = self.bin("largest", BinOp::Sub, by, Atom::i64(1));
        let other = self.bin("other", BinOp::Sub, Atom::i64(1), var.into());
        let largest = self.bin("largest", BinOp::Mul, largest, other);
        (least, self.bin("most", BinOp::Max, most, largest))
    }
}

fn interval(known: &HashMap<Var, Interval>, atom: Atom) -> Interval {
    atom.var().and_then(|var| known.get(&var).copied()).unwrap_or((atom, atom))
}
