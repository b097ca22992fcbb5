//! Make loops simpler: count where it is known how often, and map where iterations do not meet.
//!
//! Before:
//! ```text
//! let i.2: i64, s: f32 = loop (i: i64 = 0i64, a: f32 = 0f32) while {
//!   let p: bool = lt.i64 i n
//!   in p
//! } do {
//!   let i.3: i64 = add.i64 i 1i64
//!   ..
//!   in i.3, b
//! }
//! ```
//! After:
//! ```text
//! let i.2: i64 = max.i64 0i64 n
//! let s: f32 = loop (a: f32 = 0f32) for i: i64 < n {
//!   ..
//!   in b
//! }
//! ```
//!
//! And a loop that fills an array,
//! ```text
//! let ys: [n]f32 = loop (zs: *[n]f32 = blank) for i: i64 < n {
//!   let x: f32 = index xs [i]
//!   let zs.2: [n]f32 = update zs [i] x
//!   in zs.2
//! }
//! ```
//! becomes
//! ```text
//! let r: [n]i64 = range.i64 n 0i64 1i64
//! let ys: [n]f32 = map n (r) \(i: i64) {
//!   let x: f32 = index xs [i]
//!   in x
//! }
//! ```
//!
//! Arrays that a loop only hands round are chosen at its end (`handed_round`).
//!
//! Iterations do not meet if each works on a row of its own of the arrays that the loop hands on, and combines numbers by an operator for
//! which order does not matter (`independent`).
//!
//! Needs: a valid program, best simplified. Gives: no `while` that counts from a constant up to an invariant bound,
//! no counted loop whose iterations can be seen not to meet.
//! Keeps: results and failures.
//! Refuses: a counter that could overflow before it reaches the bound, which cannot be with steps of 1; a bound
//! that the loop changes; sums of floats, which are rounded in the order of the loop.
//! Method: by the form of the loop's condition, and by what each iteration reads and writes.
//! Cost: linear in the size of the program, times the depth of loops in loops.

mod handed_round;
mod independent;

use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Exp, Fun, LoopForm, Param, Prim, Prog, ScalarExp, Showing, Stm, Type,
    UnOp, Var, VarInfo,
};
use std::collections::HashMap;

pub fn loops(prog: &mut Prog) {
    let showing = Showing::of(prog);
    for fun in &mut prog.funs {
        loops_fun(fun, &showing);
    }
}

fn loops_fun(fun: &mut Fun, showing: &Showing) {
    let mut body = std::mem::take(&mut fun.body);
    let mut walk = LoopRewriter { vars: &mut fun.vars, showing, sums: HashMap::new() };
    walk.counts(&mut body);
    walk.maps(&mut body);
    fun.body = body;
    normalise_fun(fun);
}

struct LoopRewriter<'a> {
    vars: &'a mut Vec<VarInfo>,
    showing: &'a Showing,
    /// What integers are computed from. Looked up only, never enumerated.
    sums: HashMap<Var, Exp>,
}

impl LoopRewriter<'_> {
    fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    /// All loops that count are seen to count.
    fn counts(&mut self, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            self.note(&stm);
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.counts(body),
                PartMut::Lambda(lambda) => self.counts(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            self.count(&mut stm, &mut stms);
            let after = self.hand_round(&mut stm);
            stms.push(stm);
            stms.extend(after);
        }
        body.stms = stms;
    }

    /// Then those whose iterations do not meet become maps, the outer ones first: an array that an inner loop makes keeps an outer one from
    /// being a sum.
    fn maps(&mut self, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for stm in std::mem::take(&mut body.stms) {
            match self.independent(&stm) {
                Some(instead) => stms.extend(instead),
                None => stms.push(stm),
            }
        }
        for stm in &mut stms {
            self.note(stm);
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.maps(body),
                PartMut::Lambda(lambda) => self.maps(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
        body.stms = stms;
    }

    /// What an integer is computed from.
    fn note(&mut self, stm: &Stm) {
        if let ([var], Exp::Scalar(ScalarExp::Bin(_, prim, ..) | ScalarExp::Un(UnOp::Neg, prim, _))) =
            (&stm.vars[..], &stm.exp)
            && prim.is_int()
        {
            self.sums.insert(*var, stm.exp.clone());
        }
    }

    /// A `while` that counts from 0 becomes a `for`.
    fn count(&mut self, stm: &mut Stm, before: &mut Vec<Stm>) {
        let Exp::Control(ControlExp::Loop { params, form, body }) = &mut stm.exp else { return };
        let Some((position, prim, bound)) = counter(params, form, body) else { return };
        let counter = params[position].0.var;
        // The variable that a loop counts with is no size of its parameters.
        if params.iter().any(|(param, _)| mentions_size(&self.vars[param.var.0 as usize].ty, counter)) {
            return;
        }
        let (param, _) = params.remove(position);
        body.result.remove(position);
        let last = stm.vars.remove(position);
        *form = LoopForm::For(param.var, bound);
        // No iteration leaves the counter where it was.
        let exp = Exp::bin(BinOp::Max, prim, Atom::int(prim, 0), bound);
        before.push(Stm { certs: stm.certs.clone(), ..Stm::new(vec![last], exp, stm.span) });
    }
}

/// Which parameter counts 0, 1, .. up to a bound that the loop does not change, as the condition says.
fn counter(params: &[(Param, Atom)], form: &LoopForm, body: &Body) -> Option<(usize, Prim, Atom)> {
    let LoopForm::While(cond) = form else { return None };
    let [Stm { exp: Exp::Scalar(ScalarExp::Bin(BinOp::Lt, prim, Atom::Var(i), bound)), vars, .. }] =
        &cond.stms[..]
    else {
        return None;
    };
    if !prim.is_int() || cond.result[..] != [Atom::from(vars[0])] {
        return None;
    }
    let position = params.iter().position(|(param, _)| param.var == *i)?;
    let is_param = |atom: Atom| params.iter().any(|(param, _)| Atom::from(param.var) == atom);
    if params[position].1 != Atom::int(*prim, 0) || is_param(*bound) {
        return None;
    }
    let next = body.result[position].var()?;
    let step = body.stms.iter().find(|stm| stm.vars[..] == [next])?;
    let one = Atom::int(*prim, 1);
    let counts = match step.exp {
        Exp::Scalar(ScalarExp::Bin(BinOp::Add, _, x, y)) => {
            (x, y) == (Atom::Var(*i), one) || (x, y) == (one, Atom::Var(*i))
        }
        _ => false,
    };
    counts.then_some((position, *prim, *bound))
}

fn mentions_size(ty: &Type, size: Var) -> bool {
    let mut found = false;
    ty.for_each_var(&mut |var| found |= var == size);
    found
}

fn mentions(exp: &Exp, var: Var) -> bool {
    let mut found = false;
    let in_body = |body: &Body| {
        body.stms.iter().any(|stm| mentions(&stm.exp, var)) || body.result.contains(&Atom::from(var))
    };
    exp.for_each_part(&mut |part| match part {
        Part::Atom(atom) => found |= *atom == Atom::from(var),
        Part::Var(used) => found |= *used == var,
        Part::Binder(_) => {}
        Part::Body(body) => found = found || in_body(body),
        Part::Lambda(lambda) => found = found || in_body(&lambda.body),
    });
    found
}
