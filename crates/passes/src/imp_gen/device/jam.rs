//! Unroll-and-jam: a thread that reduces rows one after the other, each combined with the same row, handles several at a time.
//!
//! ```text
//! fused k (centres) \centre { let s = fused d (point, centre) f reduce (+)  in s } reduce op
//! map k (centres) \centre { let s = fused d (point, centre) f reduce (+)  in s }
//! ```
//!
//! Each element of `point` would be loaded once for every centre. With `ABREAST` rows at a time it is loaded once for all of them:
//!
//! ```text
//! for i8 { s0 = s1 = .. = 0; for j { x = point[j]; s0 += f x centre0[j]; s1 += f x centre1[j]; .. }; acc = op acc s0; .. }
//! ```
//!
//! The order in which the rows are combined stays the same. It is restricted to where it is known to help: a reduction or a
//! map around a small reduction that has the same length each time and an input that does not change.

use super::map::{computes_or_chooses, is_little};
use super::staged::reduction;
use crate::imp_gen::operators::accs::{AccHome, Accs};
use crate::imp_gen::operators::sweep::{Pass, Scanned, Sweep};
use crate::imp_gen::repr::Repr;
use crate::imp_gen::state::{Gen, Where};
use norn_ir::imp::{Exp, LoopForm};
use norn_ir::nest::{Atom, Body, Lambda, Var};

/// How many rows are reduced side by side.
const ABREAST: i64 = 8;
/// So many sums at most are in registers at a time.
const MOST_SUMS: i64 = 16;
/// So many statements may stand around the inner reduction, each of which is there `ABREAST` times.
const MOST_AROUND: usize = 16;

/// A reduction around a reduction.
struct Jam<'a> {
    lambda: &'a Lambda,
    before: Body,
    inner: Sweep<'a>,
    after: Body,
}

impl Gen<'_> {
    /// Does a pass over these elements with rows side by side, if it can be done so.
    pub fn jam(&mut self, sweep: &Sweep, pass: &Pass, from: &Exp, to: &Exp) -> bool {
        let Some(jam) = self.jammed(sweep, pass) else { return false };
        self.jams += 1;
        let i = self.code.bind("i", from.clone());
        self.code.open();
        self.inside_loops += 1;
        self.rows_abreast(&jam, sweep, pass, &i.into());
        self.inside_loops -= 1;
        self.code.set(i, Exp::Var(i).add(ABREAST));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(i).add(ABREAST).le(to.clone()), body);
        // Fewer are left than stand side by side.
        self.each(i, to.clone(), LoopForm::Plain, &mut |this, i| this.pass_at(sweep, pass, &i));
        true
    }

    fn jammed<'a>(&self, sweep: &Sweep<'a>, pass: &Pass) -> Option<Jam<'a>> {
        let lambda = sweep.lambda.filter(|_| self.may_jam)?;
        let is_scalar = |atom: &Atom| atom.var().is_none_or(|var| self.ty(var).is_scalar());
        if self.at != Where::Thread || !sweep.scans.is_empty() || !sweep.kept().iter().all(is_scalar) {
            return None;
        }
        if pass.reductions.len() != sweep.reductions.len() || !self.combines_scalars(sweep) {
            return None;
        }
        let stms = &lambda.body.stms;
        let at = stms.iter().position(|stm| !computes_or_chooses(&stm.exp))?;
        let inner = reduction(&stms[at])?;
        let (before, after) = (&stms[..at], &stms[at + 1..]);
        let around = sweep.reductions.iter().map(|op| op.lambda.body.statements()).sum::<usize>();
        let plain = before.iter().chain(after).all(|stm| computes_or_chooses(&stm.exp));
        if !plain || before.len() + after.len() + around > MOST_AROUND {
            return None;
        }
        let sums: usize = inner.reductions.iter().map(|op| op.neutral.len()).sum();
        let little = |lambda: &Lambda| is_little(&lambda.body.stms);
        let small = inner.lambda.is_none_or(little) && inner.reductions.iter().all(|op| little(&op.lambda));
        if !small || !self.combines_scalars(&inner) || sums as i64 * ABREAST > MOST_SUMS {
            return None;
        }
        // What is known here is the same for all rows.
        let own = lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars));
        let known = |var: &Var| self.env.contains_key(var) && !own.clone().any(|own| own == var);
        let same_length = inner.width.var().is_none_or(|width| known(&width));
        (same_length && inner.inputs.iter().any(known)).then(|| Jam {
            lambda,
            before: Body { stms: before.to_vec(), result: Vec::new() },
            inner,
            after: Body { stms: after.to_vec(), result: lambda.body.result.clone() },
        })
    }

    fn combines_scalars(&self, sweep: &Sweep) -> bool {
        let mut params = sweep.reductions.iter().flat_map(|op| &op.lambda.params);
        params.all(|param| self.ty(*param).is_scalar())
    }

    /// The rows from `first` on.
    fn rows_abreast(&mut self, jam: &Jam, sweep: &Sweep, pass: &Pass, first: &Exp) {
        let before = jam.before.stms.iter().flat_map(|stm| &stm.vars);
        let own: Vec<Var> = jam.lambda.params.iter().chain(before).copied().collect();
        let inner = &jam.inner;
        let mut envs: Vec<Vec<(Var, Repr)>> = Vec::new();
        let mut sums: Vec<Vec<Accs>> = Vec::new();
        for at in 0..ABREAST {
            let i: Exp = self.code.bind("i", first.clone().add(at)).into();
            let rows = self.rows_at(sweep.inputs, &i);
            for (param, row) in jam.lambda.params.iter().zip(rows) {
                self.env.insert(*param, row);
            }
            self.begin_body(&jam.before, &[]);
            envs.push(own.iter().map(|var| (*var, self.repr(*var).clone())).collect());
            sums.push(
                inner.reductions.iter().map(|op| self.neutral_accs(op, AccHome::Buffers(None))).collect(),
            );
        }
        let width = self.scalar(inner.width);
        self.each(0, width, LoopForm::Plain, &mut |this, j| {
            for (env, sums) in envs.iter().zip(&sums) {
                this.env.extend(env.iter().cloned());
                let pass = Pass {
                    scans: &[],
                    scanned: &[],
                    into_scanned: Scanned::Nothing,
                    reductions: sums,
                    outs: Some(&[]),
                };
                this.pass_at(inner, &pass, &j);
            }
        });
        for (at, (env, sums)) in (0..).zip(envs.into_iter().zip(sums)) {
            self.env.extend(env);
            let mut vars = inner.vars;
            for accs in sums {
                let (own, rest) = vars.split_at(accs.columns.len());
                self.bind_accs(own, accs);
                vars = rest;
            }
            self.begin_body(&jam.after, &[]);
            let columns: Vec<Repr> = jam.after.result.iter().map(|atom| self.value(*atom)).collect();
            let places = vec![None; sweep.kept().len()];
            self.columns(sweep, pass, &first.clone().add(at), &columns, &places);
            self.end_body();
        }
        for _ in 0..ABREAST {
            self.end_body();
        }
    }
}
