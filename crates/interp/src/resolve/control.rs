//! Branches, loops, calls, constants and checks.

use super::{At, Ops, Resolver, assign, finish, last_use};
use crate::code::{Block, Call, Check, ConstUse, For, Op, Place, Switch, While};
use crate::resolve::live::Live;
use norn_ir::nest;
use norn_ir::nest::{Atom, Body, ConstId, FunId, LoopForm, Param, Scalar, Var};
use norn_ir::scalar::eval::Word;

impl Resolver<'_> {
    pub(super) fn if_exp(&mut self, cond: Atom, then: &Body, els: &Body, at: &mut At) {
        let cond = self.word_of(cond);
        let blocks = self.branches(&[then, els], at);
        let branches: Result<[Block; 2], _> = blocks.try_into();
        let Ok(branches) = branches else { panic!("two bodies make two branches") };
        at.push(Op::If { cond, branches: Box::new(branches) });
    }

    pub(super) fn switch(&mut self, scrutinee: Atom, cases: &[(i64, Body)], default: &Body, at: &mut At) {
        let prim = self.scalar_prim(scrutinee);
        let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
        let mut blocks = self.branches(&bodies, at);
        let default = blocks.pop().expect("a switch has a default");
        let words = cases.iter().map(|(number, _)| Scalar::from_int(prim, *number as i128).bits());
        let mut cases: Vec<(Word, Block)> = words.zip(blocks).collect();
        cases.sort_by_key(|(word, _)| *word);
        let scrutinee = self.word_of(scrutinee);
        at.push(Op::Switch(Box::new(Switch { scrutinee, cases: cases.into(), default })));
    }

    pub(super) fn call(&mut self, fun: FunId, args: &[Atom], at: &mut At) {
        let args = self.operands(args, at.live).into();
        at.push(Op::Call(Box::new(Call { fun: fun.0, args, dsts: self.dsts(&at.stm.vars) })));
    }

    pub(super) fn constant(&mut self, id: ConstId, at: &mut At) {
        let fun = self.prog.consts[id.0 as usize].fun.0;
        let dsts = self.dsts(&at.stm.vars);
        at.push(Op::Const(Box::new(ConstUse { constant: id.0, fun, dsts })));
    }

    pub(super) fn dsts(&self, vars: &[Var]) -> Box<[Place]> {
        vars.iter().map(|var| self.place(*var)).collect()
    }

    fn scalar_prim(&self, atom: Atom) -> nest::Prim {
        match atom {
            Atom::Const(scalar) => scalar.prim(),
            Atom::Var(var) => {
                self.ty(var).prim().unwrap_or_else(|| panic!("{} is no scalar", self.name(var)))
            }
        }
    }

    /// The bodies of which one runs. Each leaves its results in the statement's variables, and
    /// drops what only the others need.
    fn branches(&mut self, bodies: &[&Body], at: &mut At) -> Vec<Block> {
        let dsts = self.dsts(&at.stm.vars);
        let mut branches: Vec<(Ops, Live)> = Vec::new();
        for body in bodies {
            let mut live = at.live.clone();
            let results = self.operands(&body.result, &mut live);
            let tail = results.iter().zip(&dsts).flat_map(|(result, dst)| assign(*result, *dst)).collect();
            branches.push((self.body(body, &mut live, tail), live));
        }
        branches.iter().for_each(|(_, live)| at.live.unite(live));
        let mut blocks = Vec::new();
        for (ops, live) in branches {
            let unused = at.live.without(&live);
            let unused: Box<[u32]> =
                unused.iter().filter(|var| self.is_array(**var)).map(|var| self.object(*var)).collect();
            let mut all = Vec::new();
            if !unused.is_empty() {
                all.push((Op::Drop(unused), at.stm.span));
            }
            all.extend(ops);
            blocks.push(finish(all));
        }
        blocks
    }

    pub(super) fn loop_exp(&mut self, params: &[(Param, Atom)], form: &LoopForm, body: &Body, at: &mut At) {
        let vars: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        let places = self.dsts(&vars);
        self.repeat(at, |mentions| {
            vars.iter().for_each(|var| mentions.bind(*var));
            match form {
                LoopForm::For(var, _) => mentions.bind(*var),
                LoopForm::While(cond) => mentions.body(cond),
            }
            mentions.body(body);
        });
        let mut inner = at.live.clone();
        let results = self.operands(&body.result, &mut inner);
        let tail = self.assign_all(&results, &places);
        let ops = self.body(body, &mut inner, tail);
        let block = self.block(&vars, &inner, ops);
        let op = match form {
            LoopForm::For(var, bound) => {
                let prim = self.scalar_prim((*var).into());
                let bound = self.word_of(*bound);
                Op::For(Box::new(For { var: self.word(*var), bound, prim, body: block }))
            }
            LoopForm::While(cond) => {
                // The body or the results need all parameters afterwards.
                let mut inner = at.live.clone();
                vars.iter().for_each(|var| inner.insert(*var));
                let holds = self.word_of(cond.result[0]);
                let ops = self.body(cond, &mut inner, Vec::new());
                Op::While(Box::new(While { cond: finish(ops), holds, body: block }))
            }
        };
        let initial: Vec<Atom> = params.iter().map(|(_, initial)| *initial).collect();
        let initial = self.operands(&initial, at.live);
        at.push_all(initial.iter().zip(&places).flat_map(|(operand, place)| assign(*operand, *place)));
        at.push(op);
        let results = places.iter().map(|place| last_use(*place));
        let dsts = self.dsts(&at.stm.vars);
        at.push_all(results.zip(dsts).flat_map(|(operand, place)| assign(operand, place)));
    }

    pub(super) fn check(&mut self, check: &nest::Check, at: &mut At) {
        let check = match check {
            nest::Check::Index { index, length } => {
                let (index, length) = (self.word_of(*index), self.word_of(*length));
                at.push(Op::CheckIndex { index, length });
                return;
            }
            nest::Check::Slice { start, count, stride, length } => Check::Slice {
                start: self.word_of(*start),
                count: self.word_of(*count),
                stride: self.word_of(*stride),
                length: self.word_of(*length),
            },
            nest::Check::Size { expected, found } => {
                Check::Size { expected: self.word_of(*expected), found: self.word_of(*found) }
            }
            nest::Check::Shape { array, dims } => {
                Check::Shape { array: self.look_at(*array, at), dims: self.dims(dims) }
            }
            nest::Check::NonNegative(size) => Check::NonNegative(self.word_of(*size)),
            nest::Check::NonZero(_, divisor) => Check::NonZero(self.word_of(*divisor)),
            nest::Check::Exponent(prim, exponent) => Check::Exponent(*prim, self.word_of(*exponent)),
            nest::Check::Range { prim, start, second, end, ok } => Check::Range {
                prim: *prim,
                start: self.word_of(*start),
                second: self.word_of(*second),
                end: self.word_of(*end),
                ok: self.word_of(*ok),
            },
            nest::Check::Segments { lengths, total } => {
                Check::Segments { lengths: self.look_at(*lengths, at), total: self.word_of(*total) }
            }
            nest::Check::Flat { offset, dims, length } => Check::Flat {
                offset: self.word_of(*offset),
                dims: self.pairs(dims),
                length: self.word_of(*length),
            },
            nest::Check::Assert { cond, text } => {
                Check::Assert { cond: self.word_of(*cond), text: text.clone() }
            }
            nest::Check::Fail { text } => Check::Fail { text: text.clone() },
        };
        at.push(Op::Check(Box::new(check)));
    }

    /// The place of an array that is only looked at; dropped after the statement if that was the last time.
    pub(super) fn look_at(&mut self, array: Var, at: &mut At) -> u32 {
        let operand = self.use_of(array, at.live);
        if operand.last {
            at.dead.push(operand.place);
        }
        operand.place
    }

    pub(super) fn pairs(&mut self, pairs: &[(Atom, Atom)]) -> Box<[(u32, u32)]> {
        pairs.iter().map(|(x, y)| (self.word_of(*x), self.word_of(*y))).collect()
    }
}
