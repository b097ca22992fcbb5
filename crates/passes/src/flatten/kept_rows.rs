//! Rows of different lengths that operators keep are taken from their array by a map.
//!
//! ```text
//! let k: i64, kept: [k][?]f32 = filter n (xss) \(m: i64, xs: [m]f32) { .. in c, xs }
//! ```
//! becomes
//! ```text
//! let k: i64, at: [k]i64 = filter n (xss, numbers) \(m: i64, xs: [m]f32, number: i64) { .. in c, number }
//! let kept: [k][?]f32 = map k (at) \(number: i64) { let m: i64, xs: [m]f32 = index xss [number] in xs }
//! ```
//! and likewise with a partition.
//!
//! A filter on a device counts what it keeps, and moves numbers; what a map yields is moved by elements (`elements`). Rows that a fused operator
//! yields beside sums and scans are a map of their own, too. Cost: linear; what computes rows is there twice.

use crate::nest::memory::{memory, signatures};
use crate::nest::subst::Names;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Dim, DimIndex, Exp, Lambda, Operator, Prim, Prog, Stm, Type, Var};

/// In all functions; whether there was such an operator.
pub fn kept_rows(prog: &mut Prog) -> bool {
    let signatures = signatures(prog);
    let mut changed = false;
    for fun in &mut prog.funs {
        let mut pass = KeptRows {
            names: Names { memory: memory(&signatures, fun), vars: std::mem::take(&mut fun.vars) },
            changed: false,
        };
        pass.body(&mut fun.body);
        fun.vars = pass.names.vars;
        changed |= pass.changed;
    }
    if changed {
        normalise(prog);
    }
    changed
}

struct KeptRows {
    names: Names,
    changed: bool,
}

impl KeptRows {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            let keeps_rows = stm.vars.iter().any(|var| self.is_irregular(*var));
            match &stm.exp {
                Exp::Op(Operator::Filter { .. } | Operator::Partition { .. }) if keeps_rows => {
                    self.filter(stm, &mut body.stms);
                }
                Exp::Op(Operator::Fused { .. }) if keeps_rows => self.fused(stm, &mut body.stms),
                _ => body.stms.push(stm),
            }
        }
    }

    fn is_irregular(&self, var: Var) -> bool {
        self.names.ty(var).has_irregular_rows()
    }

    fn filter(&mut self, mut stm: Stm, out: &mut Vec<Stm>) {
        self.changed = true;
        let span = stm.span;
        let (width, count, inputs, lambda) = match &mut stm.exp {
            Exp::Op(Operator::Filter { width, inputs, lambda }) => {
                (*width, Atom::Var(stm.vars[0]), inputs, lambda)
            }
            // All are kept.
            Exp::Op(Operator::Partition { width, inputs, lambda }) => (*width, *width, inputs, lambda),
            _ => return out.push(stm),
        };
        let numbers_ty = |count: Atom| Type::array(Prim::I64, vec![Dim::Size(count)]);
        let old = inputs.clone();
        let original = lambda.clone();
        let mut rows = Vec::new();
        for at in (1..stm.vars.len()).rev() {
            if self.names.ty(stm.vars[at]).has_irregular_rows() {
                rows.push((stm.vars.remove(at), at));
                lambda.body.result.remove(at);
            }
        }
        let numbers = self.names.fresh("numbers", numbers_ty(width));
        out.push(Stm::new(vec![numbers], Exp::iota(width), span));
        let number = self.names.fresh("number", Type::i64());
        inputs.push(numbers);
        lambda.params.push(number);
        lambda.body.result.push(number.into());
        let kept = self.names.fresh("kept", numbers_ty(count));
        stm.vars.push(kept);
        let certs = stm.certs.clone();
        out.push(stm);
        for (var, at) in rows.into_iter().rev() {
            let array = match self.input_of(&original, &old, original.body.result[at]) {
                Some(array) => array,
                None => {
                    let mut all = self.names.copy_lambda(&original);
                    all.body.result = vec![all.body.result[at]];
                    let ty = self.names.ty(var).clone();
                    let dims = [&[Dim::Size(width)], &ty.dims()[1..]].concat();
                    let rows = self.names.fresh("rows", ty.with_dims(dims));
                    let map = Exp::map(width, old.clone(), all);
                    out.push(Stm { certs: certs.clone(), ..Stm::new(vec![rows], map, span) });
                    rows
                }
            };
            let number = self.names.fresh("number", Type::i64());
            let row = self.names.row_params(array);
            let result = row[1].into();
            let take = Stm::new(row, Exp::index(array, vec![DimIndex::Fix(number.into())]), span);
            let lambda = Lambda::new(vec![number], Body { stms: vec![take], result: vec![result] });
            out.push(Stm::new(vec![var], Exp::map(count, vec![kept], lambda), span));
        }
    }

    /// The input whose row this is.
    fn input_of(&self, lambda: &Lambda, inputs: &[Var], row: Atom) -> Option<Var> {
        let mut params = lambda.params.iter();
        for input in inputs {
            if self.is_irregular(*input) {
                params.next();
            }
            if params.next().copied() == row.var() {
                return Some(*input);
            }
        }
        None
    }

    fn fused(&mut self, mut stm: Stm, out: &mut Vec<Stm>) {
        self.changed = true;
        let Exp::Op(Operator::Fused { width, inputs, lambda, .. }) = &mut stm.exp else { return };
        let mut map = self.names.copy_lambda(lambda);
        let all = std::mem::take(&mut map.body.result);
        let mut rows = Vec::new();
        for at in (0..stm.vars.len()).rev() {
            if self.names.ty(stm.vars[at]).has_irregular_rows() {
                rows.insert(0, stm.vars.remove(at));
                map.body.result.insert(0, all[at]);
                lambda.body.result.remove(at);
            }
        }
        let map = Exp::map(*width, inputs.clone(), map);
        let map = Stm { certs: stm.certs.clone(), ..Stm::new(rows, map, stm.span) };
        out.extend([stm, map]);
    }
}
