//! Rows of different lengths with operators in loops: where rows are short, a thread for each.
//!
//! ```text
//! map n (xss) \(k: i64, xs: [k]f32) {                    let lengths = lengths xss
//!   loop (ys: [k]f32 = xs) while .. {             ==>    let longest = reduce n (lengths) max
//!     map k (ys) ..                                      if longest <= SHORT { one thread for each row } else { taken apart }
//!   }
//! }
//! ```
//!
//! Taken apart, each iteration lays out the rows that still go on: a dozen launches and several waits, which take as long as a thread needs for
//! thousands of elements (`waits`). So it is the longest row that decides, not how many rows there are: if a thread does an iteration of it in that time, threads are
//! never slower. Only the device knows how long it is; to ask is one launch and one wait.
//!
//! Refuses: nests in which an operator may go through more elements than a few times the row has, such as all pairs of them, or through another array.

use super::Distributor;
use super::worth::is_narrow;
use norn_base::Span;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Exp, Lambda, Operator, Prim, Reduction, ScalarExp, Stm, Type,
    Var,
};
use std::collections::HashSet;

/// A thread goes through so many elements in the time of an iteration that is taken apart.
const SHORT: i64 = 1 << 12;

impl Distributor<'_, '_> {
    /// Whether all rows are short; the statements compute it. None if it does not matter how long they are.
    pub(super) fn rows_are_short(&mut self, stm: &Stm, tests: &mut Vec<Stm>) -> Option<Atom> {
        let Exp::Op(Operator::Map { inputs, lambda, .. }) = &stm.exp else { return None };
        let rows: Vec<Var> =
            inputs.iter().copied().filter(|input| self.names.ty(*input).has_irregular_rows()).collect();
        let flat =
            |row: &Var| self.names.ty(*row).dims()[2..].iter().all(|dim| dim.atom().is_some_and(is_narrow));
        if rows.is_empty() || !rows.iter().all(flat) || !self.iterations_wait(stm) {
            return None;
        }
        let mut lengths = Bounded { vars: HashSet::new() };
        for param in &lambda.params {
            lengths.vars.extend(self.names.ty(*param).dims().iter().filter_map(|dim| dim.atom()?.var()));
        }
        lengths.body(&lambda.body);
        if !self.goes_through_rows(&lambda.body, &lengths, false) {
            return None;
        }
        let all: Vec<Atom> = rows.iter().map(|row| self.longest_row(*row, stm, tests)).collect();
        Some(self.scalars(tests, |emit| {
            let tests: Vec<Atom> =
                all.iter().map(|longest| emit.at_most("short", *longest, Atom::i64(SHORT))).collect();
            tests[1..].iter().fold(tests[0], |all, test| emit.and("short", all, *test))
        }))
    }

    /// Whether operators are as wide as a row is at most, and those in these are narrow.
    fn goes_through_rows(&self, body: &Body, lengths: &Bounded, in_row: bool) -> bool {
        body.stms.iter().filter(|stm| self.worth.in_stm(stm)).all(|stm| {
            let width = stm.exp.op().map(|operator| operator.width());
            let wide = width.filter(|width| !is_narrow(*width));
            if wide.is_some_and(|width| in_row || width.var().is_none() || !lengths.has(width)) {
                return false;
            }
            let in_row = in_row || wide.is_some();
            let mut goes = !matches!(stm.exp, Exp::Control(ControlExp::Call { .. }));
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => goes &= self.goes_through_rows(body, lengths, in_row),
                Part::Lambda(lambda) => goes &= self.goes_through_rows(&lambda.body, lengths, in_row),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            goes
        })
    }

    fn longest_row(&mut self, rows: Var, stm: &Stm, tests: &mut Vec<Stm>) -> Atom {
        let count = self.names.ty(rows).dims()[0];
        let lengths = self.names.fresh("lengths", Type::array(Prim::I64, vec![count]));
        tests.push(self.stm(vec![lengths], Exp::Array(ArrayExp::Lengths(rows)), stm.span));
        self.longest(lengths, stm.span, tests)
    }

    /// The largest of the lengths.
    pub(super) fn longest(&mut self, lengths: Var, span: Span, tests: &mut Vec<Stm>) -> Atom {
        let width = self.names.ty(lengths).dims()[0].atom().unwrap_or(Atom::i64(0));
        let [x, y, longer, longest] =
            ["x", "y", "longer", "longest"].map(|name| self.names.fresh(name, Type::i64()));
        let max = self.stm(vec![longer], Exp::bin(BinOp::Max, Prim::I64, x.into(), y.into()), span);
        let lambda = Lambda::new(vec![x, y], Body { stms: vec![max], result: vec![longer.into()] });
        let op = Reduction { lambda, neutral: vec![Atom::i64(0)], commutative: true };
        tests.push(self.stm(vec![longest], Exp::reduce(width, op, vec![lengths]), span));
        longest.into()
    }
}

/// Numbers that are at most the length of a row, or the sum of a few.
struct Bounded {
    vars: HashSet<Var>,
}

impl Bounded {
    fn has(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| self.vars.contains(&var))
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(x)) if self.has(*x) => self.vars.extend(&stm.vars),
            Exp::Scalar(ScalarExp::Bin(op, _, x, y)) => {
                let bounded = match op {
                    BinOp::Add | BinOp::Max => self.has(*x) && self.has(*y),
                    BinOp::Min => self.has(*x) || self.has(*y),
                    BinOp::Sub | BinOp::Quot | BinOp::Div | BinOp::Ashr | BinOp::Lshr => self.has(*x),
                    BinOp::Rem | BinOp::Mod => self.has(*y),
                    BinOp::Mul
                    | BinOp::Pow
                    | BinOp::And
                    | BinOp::Or
                    | BinOp::Xor
                    | BinOp::Shl
                    | BinOp::MulHi
                    | BinOp::Atan2
                    | BinOp::Atan2pi
                    | BinOp::Hypot
                    | BinOp::Nextafter
                    | BinOp::Copysign
                    | BinOp::Ldexp
                    | BinOp::Eq
                    | BinOp::Lt
                    | BinOp::Le => false,
                };
                if bounded {
                    self.vars.extend(&stm.vars);
                }
            }
            Exp::Op(Operator::Filter { width, .. } | Operator::Partition { width, .. })
                if self.has(*width) =>
            {
                self.vars.extend(stm.vars.first());
            }
            Exp::Control(ControlExp::Loop { params, form: _, body }) => {
                // What begins bounded is taken to stay so, until an iteration shows otherwise.
                let begins = params.iter().zip(&stm.vars).filter(|((_, initial), _)| self.has(*initial));
                let mut stays: Vec<(Var, Var)> = begins.map(|((param, _), var)| (param.var, *var)).collect();
                loop {
                    let mut inside = Bounded { vars: self.vars.clone() };
                    inside.vars.extend(stays.iter().map(|(param, _)| param));
                    inside.body(body);
                    let next = params.iter().zip(&body.result);
                    let grows: HashSet<Var> = next
                        .filter(|(_, next)| !inside.has(**next))
                        .map(|((param, _), _)| param.var)
                        .collect();
                    let before = stays.len();
                    stays.retain(|(param, _)| !grows.contains(param));
                    if stays.len() == before {
                        self.vars = inside.vars;
                        self.vars.extend(stays.iter().map(|(_, var)| var));
                        return;
                    }
                }
            }
            Exp::Control(ControlExp::If { then, els, .. }) => {
                self.body(then);
                self.body(els);
                let both = then.result.iter().zip(&els.result).map(|(x, y)| self.has(*x) && self.has(*y));
                let both: Vec<bool> = both.collect();
                self.vars.extend(stm.vars.iter().zip(both).filter(|(_, both)| *both).map(|(var, _)| *var));
            }
            exp => exp.for_each_part(&mut |part| match part {
                Part::Body(body) => self.body(body),
                Part::Lambda(lambda) => self.body(&lambda.body),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            }),
        }
    }
}
