//! How a kernel reads arrays: whether the reads of neighbouring threads at the same time coalesce, and if not, whether they would in the transposed array.

use super::views::{Moves, View};
use crate::imp_gen::uses_of_stm;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, LoopForm, Operator, ScalarExp, Stm, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// So often is done what a loop does; and at most so often inside of several.
const REPEATED: i64 = 4;
const MOST: i64 = 16;
/// What needs a part in one piece would copy it.
const IN_ONE_PIECE: i64 = 4;

/// A part of an array that a thread reads, so often.
pub struct Read {
    pub view: View,
    pub times: i64,
    pub in_one_piece: bool,
}

pub struct Reads<'a> {
    /// Views of the arrays in question, those of the host at first.
    views: FxHashMap<Var, View>,
    moves: FxHashMap<Var, Moves>,
    /// Arrays whose elements are computed of their indices.
    counted: &'a FxHashSet<Var>,
    found: &'a mut Vec<Read>,
    /// While it is found out what loops hand on.
    is_trial: bool,
}

/// What a body reads of the arrays that these are views of; its last dimension, by which neighbours differ, is `along`.
pub fn reads(
    body: &Body,
    along: Option<Var>,
    views: &FxHashMap<Var, View>,
    counted: &FxHashSet<Var>,
    found: &mut Vec<Read>,
) {
    let moves = along.map(|var| (var, Moves { along: true, loaded: false })).into_iter().collect();
    let mut reads = Reads { views: views.clone(), moves, counted, found, is_trial: false };
    reads.body(body, 1);
    reads.results(body, 1);
}

impl Reads<'_> {
    fn body(&mut self, body: &Body, times: i64) {
        body.stms.iter().for_each(|stm| self.stm(stm, times));
    }

    /// Arrays that a body yields are read element by element.
    fn results(&mut self, body: &Body, times: i64) {
        body.result.iter().filter_map(|atom| atom.var()).for_each(|var| self.walk(var, times));
    }

    fn moves_of(&self, atom: Atom) -> Moves {
        atom.var().and_then(|var| self.moves.get(&var).copied()).unwrap_or_default()
    }

    fn read(&mut self, view: View, times: i64, in_one_piece: bool) {
        if !self.is_trial {
            self.found.push(Read { view, times: times.min(MOST), in_one_piece });
        }
    }

    /// One element after the other.
    fn walk(&mut self, var: Var, times: i64) {
        if let Some(view) = self.views.get(&var).cloned() {
            self.read(view, times, false);
        }
    }

    fn whole(&mut self, var: Var, times: i64) {
        if let Some(view) = self.views.get(&var).cloned() {
            self.read(view, times * IN_ONE_PIECE, true);
        }
    }

    fn stm(&mut self, stm: &Stm, times: i64) {
        let mut moves = Moves::default();
        uses_of_stm(stm, &mut |var| moves = moves.and(self.moves_of(var.into())));
        match (&stm.exp, stm.vars.last()) {
            (Exp::Scalar(ScalarExp::Atom(Atom::Var(of))), Some(var)) => {
                if let Some(view) = self.views.get(of).cloned() {
                    self.views.insert(*var, view);
                }
            }
            (Exp::Array(ArrayExp::Index { array, slice }), Some(var)) => {
                moves.loaded |= moves.along && !self.counted.contains(array);
                if let Some(view) = self.views.get(array) {
                    let view = view.at(slice.iter().map(|dim| match dim {
                        DimIndex::Fix(index) => (self.moves_of(*index), true),
                        DimIndex::Slice { start, .. } => (self.moves_of(*start), false),
                    }));
                    match view.left.is_empty() {
                        true => self.read(view, times, false),
                        false => {
                            self.views.insert(*var, view);
                        }
                    }
                }
            }
            (Exp::Array(ArrayExp::Rearrange { array, perm }), Some(var)) => {
                if let Some(view) = self.views.get(array) {
                    let view = view.rearranged(perm);
                    self.views.insert(*var, view);
                }
            }
            (Exp::Array(ArrayExp::Coerce { array, .. }), Some(var)) => {
                if let Some(view) = self.views.get(array).cloned() {
                    self.views.insert(*var, view);
                }
            }
            (Exp::Array(ArrayExp::Copy(array)), _) => self.walk(*array, times),
            (Exp::Array(ArrayExp::Concat { arrays, .. }), _) => {
                arrays.iter().for_each(|array| self.walk(*array, times))
            }
            (Exp::Op(op), _) => self.operator(op, times, &mut moves),
            (Exp::Control(control), _) => self.control(control, times, &mut moves),
            (exp, _) => self.in_one_piece(exp, times),
        }
        stm.vars.iter().for_each(|var| {
            self.moves.insert(*var, moves);
        });
    }

    fn operator(&mut self, op: &Operator, times: i64, moves: &mut Moves) {
        let inside = times * REPEATED;
        match op.applied() {
            Some(applied) => {
                let params = &applied.lambda.params[applied.skipped..];
                for (input, param) in applied.inputs.iter().zip(params) {
                    self.moves.insert(*param, self.moves_of((*input).into()));
                    let Some(view) = self.views.get(input) else { continue };
                    let row = view.at([(Moves::default(), true)].into_iter());
                    match row.left.is_empty() {
                        true => self.read(row, inside, false),
                        false => {
                            self.views.insert(*param, row);
                        }
                    }
                }
                self.body(&applied.lambda.body, inside);
                self.results(&applied.lambda.body, inside);
                applied.lambda.body.result.iter().for_each(|atom| *moves = moves.and(self.moves_of(*atom)));
            }
            None => op.inputs().iter().for_each(|input| self.walk(*input, inside)),
        }
    }

    fn control(&mut self, control: &ControlExp, times: i64, moves: &mut Moves) {
        match control {
            ControlExp::If { then, els, .. } => self.branches(&[then, els], times, moves),
            ControlExp::Switch { cases, default, .. } => {
                let cases: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
                self.branches(&cases, times, moves);
            }
            ControlExp::Loop { params, form, body } => {
                for (param, initial) in params {
                    self.moves.insert(param.var, self.moves_of(*initial));
                    if let Some(var) = initial.var() {
                        self.whole(var, times);
                    }
                }
                // What is handed on may move by what the first step does not know.
                let was_trial = std::mem::replace(&mut self.is_trial, true);
                for is_trial in [true, was_trial] {
                    self.is_trial = is_trial;
                    if let LoopForm::While(cond) = form {
                        self.body(cond, times * REPEATED);
                    }
                    self.body(body, times * REPEATED);
                    for ((param, _), next) in params.iter().zip(&body.result) {
                        let next = self.moves_of(*next).and(self.moves_of(param.var.into()));
                        self.moves.insert(param.var, next);
                    }
                }
                self.results(body, times * REPEATED);
                params.iter().for_each(|(param, _)| *moves = moves.and(self.moves_of(param.var.into())));
            }
            ControlExp::Call { args, .. } => {
                args.iter().filter_map(|arg| arg.var()).for_each(|var| self.whole(var, times))
            }
            ControlExp::Const(_) | ControlExp::Check(_) => {}
        }
    }

    fn branches(&mut self, branches: &[&Body], times: i64, moves: &mut Moves) {
        for branch in branches {
            self.body(branch, times);
            self.results(branch, times);
            branch.result.iter().for_each(|atom| *moves = moves.and(self.moves_of(*atom)));
        }
    }

    fn in_one_piece(&mut self, exp: &Exp, times: i64) {
        let mut mentioned = Vec::new();
        exp.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => mentioned.push(*var),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        mentioned.into_iter().for_each(|var| self.whole(var, times));
    }
}
