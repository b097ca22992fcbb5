//! Which arrays a group reads in windows: neighbouring rows that follow from the rows of a part.
//!
//! A map over a range reads other arrays at indices that it computes from the number of its row. Where such an index never falls while the row grows,
//! as in stencils with `max (i-1) 0` and `min (i+1) (n-1)`, what all rows of a part read lies between what its first and its last row read. So the
//! rows of a window are computed by the same statements, for these two rows:
//!
//! ```text
//! map n (is) \(i: i64) {                              window (xs) \(from: i64, count: i64) {
//!   let a: i64 = sub.i64 i 1i64                         let end: i64 = add.i64 from count
//!   let b: i64 = max.i64 a 0i64                 =>      let last: i64 = sub.i64 end 1i64
//!   let x: f32 = index xs [b]                           .. the smallest and the largest of what is made of `from` and `last`, within the array
//! ```
//!
//! An index is known to grow by its making: the number of the row; a sum of what grows and of what is the same for all rows, or their difference; the smaller and the larger of what
//! grows; what grows times, or divided by, a positive constant. If any mention of an array in the group is another, all of the array is read. An index that is computed but not used, as in a
//! branch that is not taken, may lie outside of the array; so windows are cut off at its ends.

use super::Remade;
use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
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
    let mut growing = Vec::new();
    for stm in members {
        let inside = mentions::bound_inside(stm);
        let mut grows = Grows { params: Vec::new(), known: HashSet::new(), stms: Vec::new(), inside };
        let applied = stm.exp.op().and_then(|op| op.applied());
        let lambda = applied.as_ref().map(|applied| applied.lambda);
        if let Some(applied) = &applied {
            grows.find_params(names, remade, applied.inputs, &applied.lambda.params);
            grows.body(&applied.lambda.body, &mut reads, growing.len());
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
        growing.push(grows);
    }
    let Reads { at, whole } = reads;
    let mut found = Vec::new();
    for (array, indices) in at {
        let is_made = members.iter().any(|stm| stm.vars.contains(&array));
        let some_grow = indices.iter().any(|(member, index)| growing[*member].is_known(*index));
        if !whole.contains(&array) && !is_made && some_grow {
            found.extend(need(names, &growing, array, &indices, members[0].span));
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

/// What grows with the number of the row in the lambda of a member.
struct Grows {
    /// Parameters that are that number, and the number of the first row.
    params: Vec<(Var, Atom)>,
    known: HashSet<Var>,
    /// What makes them, in order.
    stms: Vec<Stm>,
    /// What the member binds inside: all else is the same for all rows.
    inside: HashSet<Var>,
}

impl Grows {
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
                Exp::Scalar(exp) if self.grows(exp) => {
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

    /// Whether it never falls while the number of the row grows.
    fn grows(&self, exp: &ScalarExp) -> bool {
        let is_known = |atom: &Atom| self.is_known(*atom);
        let fits = |atom: &Atom| self.is_known(*atom) || self.is_steady(*atom);
        let is_positive = |atom: &Atom| matches!(atom, Atom::Const(Scalar::I64(value)) if *value > 0);
        match exp {
            ScalarExp::Atom(x) => is_known(x),
            ScalarExp::Bin(op, Prim::I64, x, y) => match op {
                BinOp::Add | BinOp::Min | BinOp::Max => (is_known(x) || is_known(y)) && fits(x) && fits(y),
                BinOp::Sub => is_known(x) && self.is_steady(*y),
                BinOp::Mul => is_known(x) && is_positive(y) || is_positive(x) && is_known(y),
                BinOp::Div | BinOp::Quot => is_known(x) && is_positive(y),
                _ => false,
            },
            ScalarExp::Un(..)
            | ScalarExp::Bin(..)
            | ScalarExp::Tri(..)
            | ScalarExp::Convert { .. }
            | ScalarExp::Workers => false,
        }
    }
}

/// Between which rows of an array all these indices are, for the rows of a part.
fn need(
    names: &mut Names,
    growing: &[Grows],
    array: Var,
    indices: &[(usize, Atom)],
    span: Span,
) -> Option<Windowed> {
    let length = names.ty(array).dims().first()?.atom()?;
    let from = names.fresh("from", Type::i64());
    let count = names.fresh("count", Type::i64());
    let mut out = Scalars { names, stms: Vec::new(), span };
    let end = out.bin("end", BinOp::Add, from.into(), count.into());
    let last = out.bin("last", BinOp::Sub, end, Atom::i64(1));
    let mut ends = Vec::new();
    for (row, op) in [(Atom::Var(from), BinOp::Min), (last, BinOp::Max)] {
        let mut extreme: Option<Atom> = None;
        for (member, grows) in growing.iter().enumerate() {
            let these: Vec<Atom> =
                indices.iter().filter(|(of, _)| *of == member).map(|(_, index)| *index).collect();
            for index in out.at_row(grows, row, &these) {
                extreme = Some(match extreme {
                    Some(extreme) if extreme == index => extreme,
                    Some(extreme) => out.bin("extreme", op, extreme, index),
                    None => index,
                });
            }
        }
        ends.push(extreme?);
    }
    let first = out.bin("first", BinOp::Max, ends[0], Atom::i64(0));
    let first = out.bin("first", BinOp::Min, first, length);
    let behind = out.bin("behind", BinOp::Add, ends[1], Atom::i64(1));
    let behind = out.bin("behind", BinOp::Min, behind, length);
    let size = out.bin("size", BinOp::Sub, behind, first);
    let size = out.bin("size", BinOp::Max, size, Atom::i64(0));
    let body = Body { stms: out.stms, result: vec![first, size] };
    Some(Windowed { array, need: Lambda::new(vec![from, count], body) })
}

struct Scalars<'a> {
    names: &'a mut Names,
    stms: Vec<Stm>,
    span: Span,
}

impl Scalars<'_> {
    fn bin(&mut self, name: &str, op: BinOp, x: Atom, y: Atom) -> Atom {
        let var = self.names.fresh(name, Type::i64());
        self.stms.push(Stm::new(vec![var], Exp::bin(op, Prim::I64, x, y), self.span));
        var.into()
    }

    /// What these indices are for a row.
    fn at_row(&mut self, grows: &Grows, row: Atom, indices: &[Atom]) -> Vec<Atom> {
        let mut wanted: Vec<Var> = indices.iter().filter_map(|atom| atom.var()).collect();
        if wanted.is_empty() {
            return indices.to_vec();
        }
        let stms = mentions::needed(&self.names.vars, &grows.stms, &mut wanted);
        let mut subst = Subst::default();
        for (param, start) in &grows.params {
            let at = match *start == Atom::i64(0) {
                true => row,
                false => self.bin("row", BinOp::Add, *start, row),
            };
            subst.set(*param, at);
        }
        for stm in stms {
            let copy = self.names.copy_stm(&mut subst, &stm);
            self.stms.push(copy);
        }
        indices.iter().map(|index| subst.atom(*index)).collect()
    }
}
