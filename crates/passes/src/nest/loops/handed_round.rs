//! Arrays that a loop only hands round: it hands on which of them is where, and they are chosen at its end.
//!
//! ```text
//! let n, m, a: [n]f32, b: [m]f32 = loop (n.2 = k, m.2 = l, a.2: [n.2]f32 = xs, b.2: [m.2]f32 = ys) while n.2 < m.2 do { in m.2, n.2, b.2, a.2 }
//! ```
//! becomes
//! ```text
//! let n, m, at, at.2 = loop (n.2 = k, m.2 = l, at.3 = 0, at.4 = 1) while n.2 < m.2 do { in m.2, n.2, at.4, at.3 }
//! let first: bool = eq.i64 at 0
//! let a: [n]f32 = if first { coerce xs [n] } else { coerce ys [n] }
//! ..
//! ```
//! A function that calls itself last of all with its arguments in another order is such a loop. A thread that hands arrays round would have to copy them at its end; elements that are chosen are read where
//! they are.
//!
//! Refuses: arrays that the loop reads, or may overwrite.

use super::LoopRewriter;
use crate::nest::mentions;
use norn_base::Span;
use norn_ir::nest::{Atom, BinOp, Body, ControlExp, Exp, LoopForm, Param, Prim, Stm, Type, Var};

impl LoopRewriter<'_> {
    /// What comes behind the loop.
    pub(super) fn hand_round(&mut self, stm: &mut Stm) -> Vec<Stm> {
        let Exp::Control(ControlExp::Loop { params, form, body }) = &stm.exp else { return Vec::new() };
        let places = self.handed_round(params, form, body);
        if places.is_empty() {
            return Vec::new();
        }
        let arrays: Vec<Atom> = places.iter().map(|place| params[*place].1).collect();
        let vars: Vec<Var> = places.iter().map(|place| params[*place].0.var).collect();
        let span = stm.span;
        let Exp::Control(ControlExp::Loop { params, body, .. }) = &mut stm.exp else { return Vec::new() };
        let mut after = Vec::new();
        let own: Vec<Var> = places.iter().map(|_| self.new_var("at", Type::i64())).collect();
        for (number, place) in places.iter().enumerate() {
            params[*place] = (Param { var: own[number], unique: false }, Atom::i64(number as i64));
            let from = vars.iter().position(|var| body.result[*place] == Atom::Var(*var));
            body.result[*place] = own[from.unwrap_or(number)].into();
            let at = self.new_var("at", Type::i64());
            let array = std::mem::replace(&mut stm.vars[*place], at);
            let mut chosen = self.chosen(array, at, &arrays, span);
            // What is chosen is what it was called before.
            if let Some(last) = chosen.last_mut() {
                last.vars = vec![array];
            }
            after.extend(chosen);
        }
        after
    }

    /// One of arrays, by its number: statements, the last of which yields it.
    fn chosen(&mut self, like: Var, at: Var, arrays: &[Atom], span: Span) -> Vec<Stm> {
        let ty = self.ty(like).clone();
        let mut els: Option<Body> = None;
        for (number, array) in arrays.iter().enumerate().rev() {
            let own = self.new_var("chosen", ty.clone());
            let Atom::Var(array) = *array else { continue };
            let exp = Exp::coerce(array, ty.dims().to_vec());
            let then = Body { stms: vec![Stm::new(vec![own], exp, span)], result: vec![own.into()] };
            els = Some(match els {
                None => then,
                Some(els) => {
                    let is_it = self.new_var("is_it", Type::bool());
                    let test = Exp::bin(BinOp::Eq, Prim::I64, at.into(), Atom::i64(number as i64));
                    let chosen = self.new_var("chosen", ty.clone());
                    let stms = vec![
                        Stm::new(vec![is_it], test, span),
                        Stm::new(vec![chosen], Exp::if_(is_it.into(), then, els), span),
                    ];
                    Body { stms, result: vec![chosen.into()] }
                }
            });
        }
        els.map_or(Vec::new(), |body| body.stms)
    }

    /// Which parameters are arrays that nothing is done with, but that they are parameters of the next iteration.
    fn handed_round(&self, params: &[(Param, Atom)], form: &LoopForm, body: &Body) -> Vec<usize> {
        let mut used = Vec::new();
        let all = match form {
            LoopForm::For(..) => &[][..],
            LoopForm::While(cond) => &cond.stms,
        };
        all.iter().chain(&body.stms).for_each(|stm| mentions::in_stm(self.vars, stm, &mut used));
        let is_plain = |place: &usize| {
            let (param, array) = &params[*place];
            let ty = self.ty(param.var);
            let is_regular = ty.is_array() && ty.dims().iter().all(|dim| dim.atom().is_some());
            is_regular && !param.unique && array.var().is_some() && !used.contains(&param.var)
        };
        let mut places: Vec<usize> = (0..params.len()).filter(is_plain).collect();
        loop {
            let vars: Vec<Atom> = places.iter().map(|place| params[*place].0.var.into()).collect();
            let before = places.len();
            places.retain(|place| vars.contains(&body.result[*place]));
            if places.len() == before {
                break;
            }
        }
        let moves = |place: &usize| body.result[*place] != Atom::Var(params[*place].0.var);
        if places.iter().any(moves) { places } else { Vec::new() }
    }
}
