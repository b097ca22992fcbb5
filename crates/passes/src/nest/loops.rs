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
//! Needs: a valid program, best simplified. Gives: no `while` that counts from a constant up to an invariant bound,
//! no loop whose only work is to fill an array element by element.
//! Keeps: results and failures.
//! Refuses: a counter that could overflow before it reaches the bound, which cannot be with steps of 1; a bound
//! that the loop changes; to fill where the body looks at the array, or where the array may be longer
//! than the loop is.
//! Method: by the form of the loop's condition and results.
//! Cost: linear in the size of the program.

use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Fun, Lambda, LoopForm, Param, Prim, Prog,
    ScalarExp, Showing, Stm, Type, Var, VarInfo,
};

pub fn loops(prog: &mut Prog) {
    let showing = Showing::of(prog);
    for fun in &mut prog.funs {
        loops_fun(fun, &showing);
    }
}

fn loops_fun(fun: &mut Fun, showing: &Showing) {
    let mut body = std::mem::take(&mut fun.body);
    let mut walk = Walk { vars: &mut fun.vars, showing };
    walk.body(&mut body);
    fun.body = body;
    normalise_fun(fun);
}

struct Walk<'a> {
    vars: &'a mut Vec<VarInfo>,
    showing: &'a Showing,
}

impl Walk<'_> {
    fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    fn body(&mut self, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            self.count(&mut stm, &mut stms);
            self.fill(&mut stm, &mut stms);
            stms.push(stm);
        }
        body.stms = stms;
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

    /// A loop that does nothing but fill an array becomes a map.
    fn fill(&mut self, stm: &mut Stm, before: &mut Vec<Stm>) {
        // What iterations show comes in their order.
        if self.showing.exp(&stm.exp) {
            return;
        }
        let Exp::Control(ControlExp::Loop { params, form, body }) = &mut stm.exp else { return };
        let ([(param, _)], LoopForm::For(index, bound)) = (&params[..], &*form) else { return };
        let (array, index, bound) = (param.var, *index, *bound);
        if *self.ty(index) != Type::i64() || !self.is_filled(array, index, bound, body) {
            return;
        }
        let Some(Stm { exp: Exp::Array(ArrayExp::Update { value, .. }), .. }) = body.stms.pop() else {
            return;
        };
        let mut body = std::mem::take(body);
        body.result = vec![value];
        let ty = Type::array(Prim::I64, vec![Dim::Size(bound)]);
        let indices = self.new_var("r", ty);
        let exp = Exp::iota(bound);
        before.push(Stm { certs: stm.certs.clone(), ..Stm::new(vec![indices], exp, stm.span) });
        stm.exp = Exp::map(bound, vec![indices], Lambda::new(vec![index], body));
    }

    /// Every iteration writes the element of its number, all elements are written, and nothing reads them.
    fn is_filled(&self, array: Var, index: Var, bound: Atom, body: &Body) -> bool {
        let Some((last, others)) = body.stms.split_last() else { return false };
        let Exp::Array(ArrayExp::Update { array: written, slice, value }) = &last.exp else { return false };
        let ty = self.ty(array);
        let plain = *written == array && slice[..] == [DimIndex::Fix(index.into())] && last.certs.is_empty();
        let whole = ty.dims().first() == Some(&Dim::Size(bound)) && !ty.dims().contains(&Dim::Irregular);
        plain
            && whole
            && body.result[..] == [Atom::from(last.vars[0])]
            && *value != Atom::from(array)
            && others.iter().all(|stm| !mentions(&stm.exp, array))
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
