//! How many iterations a loop has that ends when something holds, if only numbers decide about that: the host goes through those first.
//!
//! ```text
//! let ys: [n]f32, k: i64 = loop (xs: [n]f32 = start, k: i64 = 8) while k > 0 { .. work on xs ..  in .., k / 2 }
//!
//! let k: i64, count: i64 = loop (k: i64 = 8, count: i64 = 0) while k > 0 & count < limit { in k / 2, count + 1 }
//! let ys: [n]f32 = loop (xs: [n]f32 = start) for i < count { .. work on xs .. }        if count < limit
//! ```
//!
//! Refuses: loops that something computed from an array decides about, or a check.

use super::Distributor;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{Atom, BinOp, Body, ControlExp, Exp, LoopForm, Param, Prim, Stm, Type, Var};

pub struct TripCount {
    /// As many as the loop has, or the limit.
    pub count: Var,
    /// What the numbers are that decide, after that many iterations, and the places that they have among the results of the loop.
    pub deciding: Vec<(usize, Var)>,
}

impl Distributor<'_, '_> {
    pub fn trip_count(&mut self, stm: &Stm, limit: i64, out: &mut Vec<Stm>) -> Option<TripCount> {
        let Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body }) = &stm.exp else {
            return None;
        };
        let places = self.deciding(stm)?;
        let counter = self.names.fresh("count", Type::i64());
        let [count, next] = ["count", "next"].map(|name| self.names.fresh(name, Type::i64()));
        let [goes_on, more] = ["goes_on", "more"].map(|name| self.names.fresh(name, Type::bool()));
        let bin = |var: Var, op: BinOp, prim: Prim, x: Atom, y: Atom| {
            Stm::new(vec![var], Exp::bin(op, prim, x, y), stm.span)
        };

        let mut cond = cond.clone();
        cond.stms.push(bin(more, BinOp::Lt, Prim::I64, counter.into(), Atom::i64(limit)));
        cond.stms.push(bin(goes_on, BinOp::And, Prim::Bool, cond.result[0], more.into()));
        cond.result = vec![goes_on.into()];
        let mut result: Vec<Atom> = places.iter().map(|at| body.result[*at]).collect();
        let mut live = Vec::new();
        mentions::in_atoms(&result, &mut live);
        let mut stms = mentions::needed(&self.names.vars, &body.stms, &mut live);
        stms.push(bin(next, BinOp::Add, Prim::I64, counter.into(), Atom::i64(1)));
        result.push(next.into());
        let deciding = places.iter().map(|at| params[*at].clone());
        let params = deciding.chain([(Param::plain(counter), Atom::i64(0))]).collect();
        let vars = places.iter().map(|at| stm.vars[*at]).chain([count]).collect();
        let exp = ControlExp::Loop { params, form: LoopForm::While(cond), body: Body { stms, result } };
        let counting = Stm { certs: stm.certs.clone(), ..Stm::new(vars, Exp::Control(exp), stm.span) };
        // The loop itself has these names, too.
        let counting = self.names.copy_stm(&mut Subst::default(), &counting);
        let count = counting.vars[places.len()];
        let deciding = places.into_iter().zip(counting.vars.iter().copied()).collect();
        out.push(counting);
        Some(TripCount { count, deciding })
    }

    /// The places of the parameters that decide whether the loop goes on, if nothing but numbers does.
    fn deciding(&self, stm: &Stm) -> Option<Vec<usize>> {
        let Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body }) = &stm.exp else {
            return None;
        };
        let mut live = Vec::new();
        cond.stms.iter().for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut live));
        mentions::in_atoms(&cond.result, &mut live);
        let mut places = Vec::new();
        loop {
            let is_new = |at: &usize| live.contains(&params[*at].0.var) && !places.contains(at);
            let more: Vec<usize> = (0..params.len()).filter(is_new).collect();
            if more.is_empty() {
                break;
            }
            places.extend(more);
            let results: Vec<Atom> = places.iter().map(|at| body.result[*at]).collect();
            live.clear();
            mentions::in_atoms(&results, &mut live);
            let needed = mentions::needed(&self.names.vars, &body.stms, &mut live);
            if !needed.iter().all(is_arithmetic) {
                return None;
            }
        }
        (!places.is_empty() && cond.stms.iter().all(is_arithmetic)).then_some(places)
    }
}

/// Whether a statement computes numbers from numbers, without a check.
fn is_arithmetic(stm: &Stm) -> bool {
    stm.certs.is_empty()
        && match &stm.exp {
            Exp::Scalar(_) => true,
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                [then, els].iter().all(|body| body.stms.iter().all(is_arithmetic))
            }
            _ => false,
        }
}
