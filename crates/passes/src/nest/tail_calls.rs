//! Functions that call themselves last of all become loops.
//!
//! ```text
//! fun gcd (a: i32, b: i32) -> i32 {              fun gcd (a: i32, b: i32) -> i32 {
//!   let c: bool = eq.i32 b 0i32                    let a.3: i32, b.3: i32 = loop (a.2: i32 = a, b.2: i32 = b) while {
//!   let r: i32 = if c {                              .. b.2 is not 0 ..
//!     in a                                         } do {
//!   } else {                                ==>      let m: i32 = rem.i32 a.2 b.2
//!     let m: i32 = rem.i32 a b                       in b.2, m
//!     let s: i32 = call gcd (b, m)                 }
//!     in s                                         in a.3
//!   }                                            }
//!   in r
//! }
//! ```
//!
//! A loop needs no stack, runs in a kernel, and in a map goes on with the elements that are not done, in one loop for all calls that the
//! function has: calls in several branches would each be a recursion of their own.
//!
//! The condition is what decides between the calls and the ends of the function, an iteration what leads to a call, and
//! after the loop comes what leads to an end. Where deciding takes more than some arithmetic, it is not done twice: an iteration is the whole
//! body, and hands on whether there was a call, and what the function yields if there was none. That is for functions that yield
//! numbers only, since something else would have to be handed on before it is there.
//!
//! Needs: a valid program, in which inlining has put what decides into the function. Gives: loops, which are inlined in turn. Keeps: results and failures, but that a recursion which is too deep is none now.
//! Refuses: functions that also call themselves elsewhere, unless that is only on the way to an end; those that never end, and those that hand on regions.
//! Cost: linear.

use super::effects::AWAITED;
use super::inline::inline;
use super::mentions;
use super::simplify::simplify;
use super::subst::Subst;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::splice::{relying_on, splice};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, Elem, Exp, Fun, FunId, LoopForm, Param, Prog, Ret, Stm, Type, Var,
    VarInfo,
};

pub fn tail_calls(prog: &mut Prog) {
    let mut changed = false;
    for index in 0..prog.funs.len() {
        let looped = Recursion::of(&prog.funs[index], FunId(index as u32)).and_then(Recursion::looped);
        if let Some(fun) = looped {
            prog.funs[index] = fun;
            changed = true;
        }
    }
    normalise(prog);
    if changed {
        inline(prog);
        simplify(prog);
    }
}

/// How a body ends, in all of its branches.
#[derive(Clone, Copy, Default)]
struct Ends {
    calls: usize,
    others: usize,
}

/// The last statement of a body, if what it binds is what the body yields.
fn last(body: &Body) -> Option<&Stm> {
    let is_it = |stm: &&Stm| {
        let bound = stm.vars.iter().map(|var| Atom::Var(*var));
        bound.eq(body.result.iter().copied())
    };
    body.stms.last().filter(is_it)
}

fn branches(exp: &Exp) -> Vec<&Body> {
    match exp {
        Exp::Control(ControlExp::If { then, els, .. }) => vec![then, els],
        Exp::Control(ControlExp::Switch { cases, default, .. }) => {
            cases.iter().map(|(_, body)| body).chain([default]).collect()
        }
        _ => Vec::new(),
    }
}

fn count_calls(body: &Body, fun: FunId) -> usize {
    let mut count = 0;
    for stm in &body.stms {
        count += usize::from(
            matches!(&stm.exp, Exp::Control(ControlExp::Call { fun: callee, .. }) if *callee == fun),
        );
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => count += count_calls(body, fun),
            Part::Lambda(lambda) => count += count_calls(&lambda.body, fun),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
    count
}

/// A function that calls itself last of all.
struct Recursion<'a> {
    fun: &'a Fun,
    id: FunId,
    /// Not all of its calls of itself are its last deed.
    calls_elsewhere: bool,
    /// The numbers of the parameters that some call changes.
    varying: Vec<usize>,
}

impl<'a> Recursion<'a> {
    fn of(fun: &'a Fun, id: FunId) -> Option<Recursion<'a>> {
        let mut found = Recursion { fun, id, calls_elsewhere: false, varying: Vec::new() };
        let ends = found.ends(&fun.body);
        if ends.calls == 0 || ends.others == 0 {
            return None;
        }
        found.calls_elsewhere = count_calls(&fun.body, id) > ends.calls;
        let mut varies = vec![false; fun.params.len()];
        found.each_call(&fun.body, &mut |args| {
            for ((varies, param), arg) in varies.iter_mut().zip(&fun.params).zip(args) {
                *varies |= *arg != Atom::Var(param.var);
            }
        });
        found.varying = (0..varies.len()).filter(|at| varies[*at]).collect();
        let is_value = |at: &usize| found.ty(fun.params[*at].var).elem().is_some();
        (!found.varying.is_empty() && found.varying.iter().all(is_value)).then_some(found)
    }

    fn ty(&self, var: Var) -> &Type {
        &self.fun.vars[var.0 as usize].ty
    }

    fn ends(&self, body: &Body) -> Ends {
        let Some(stm) = last(body) else { return Ends { calls: 0, others: 1 } };
        match &stm.exp {
            Exp::Control(ControlExp::Call { fun, .. }) if *fun == self.id => Ends { calls: 1, others: 0 },
            exp => branches(exp)
                .into_iter()
                .map(|body| self.ends(body))
                .reduce(|a, b| Ends { calls: a.calls + b.calls, others: a.others + b.others })
                .unwrap_or(Ends { calls: 0, others: 1 }),
        }
    }

    fn each_call(&self, body: &Body, f: &mut dyn FnMut(&[Atom])) {
        match last(body).map(|stm| &stm.exp) {
            Some(Exp::Control(ControlExp::Call { fun, args })) if *fun == self.id => f(args),
            Some(exp) => branches(exp).into_iter().for_each(|body| self.each_call(body, f)),
            None => {}
        }
    }

    fn looped(self) -> Option<Fun> {
        let mut vars = self.fun.vars.clone();
        let decision = self.decision(&self.fun.body, &mut vars);
        let is_decided_first = only_computes(&decision);
        if self.calls_elsewhere {
            let step = self.narrowed(&self.fun.body, &mut vars.clone(), EndKind::Call);
            let only_at_ends = is_decided_first && count_calls(&step, self.id) == 0;
            return only_at_ends.then(|| self.decided_first(vars, decision));
        }
        if is_decided_first {
            return Some(self.decided_first(vars, decision));
        }
        let is_number = |ret: &Ret| matches!(ret.ty.elem(), Some(Elem::Prim(_))) && ret.ty.is_scalar();
        self.fun.ret.iter().all(is_number).then(|| self.decided_inside(vars)).flatten()
    }

    // # What decides is cheap

    fn decided_first(&self, mut vars: Vec<VarInfo>, decision: Body) -> Fun {
        let fun = self.fun;
        let handed = self.like_params(&mut vars);
        let finals = self.like_params(&mut vars);
        let cond_var = fresh(&mut vars, "goes_on", Type::bool());
        let cond = self.with_args(&mut vars, decision, &handed, vec![cond_var]);
        let step = self.narrowed(&fun.body, &mut vars, EndKind::Call);
        let next = self.like_params(&mut vars);
        let body = self.with_args(&mut vars, step, &handed, next);
        let end = self.narrowed(&fun.body, &mut vars, EndKind::End);
        let results = self.like_results(&mut vars, &finals);
        let last = self.with_args(&mut vars, end, &finals, results);

        let params = self.varying.iter().zip(&handed).map(|(at, var)| {
            let param = &fun.params[*at];
            (Param { var: *var, unique: param.unique }, Atom::Var(param.var))
        });
        let exp =
            Exp::Control(ControlExp::Loop { params: params.collect(), form: LoopForm::While(cond), body });
        let mut stm = Stm::new(finals.clone(), exp, fun.span);
        let mut needed: Vec<Var> = last.result.iter().filter_map(|atom| atom.var()).collect();
        mentions::needed(&vars, &last.stms, &mut needed);
        if !finals.iter().any(|var| needed.contains(var)) {
            stm.attrs.push(AWAITED.to_string());
        }
        let stms = [stm].into_iter().chain(last.stms).collect();
        Fun { vars, body: Body { stms, result: last.result }, ..fun.clone() }
    }

    /// A body that computes whether the function would call itself.
    fn decision(&self, body: &Body, vars: &mut Vec<VarInfo>) -> Body {
        let ends = self.ends(body);
        if ends.calls == 0 || ends.others == 0 {
            return Body { stms: Vec::new(), result: vec![Atom::bool(ends.others == 0)] };
        }
        let Some((stm, before)) = body.stms.split_last() else { return Body::default() };
        let var = fresh(vars, "goes_on", Type::bool());
        let mut exp = stm.exp.clone();
        each_branch(&mut exp, &mut |branch| *branch = self.decision(branch, vars));
        let chosen = Stm { vars: vec![var], exp, ..stm.clone() };
        let mut live = Vec::new();
        mentions::in_stm(vars, &chosen, &mut live);
        mentions::certs(&chosen, &mut live);
        let mut stms = mentions::needed(vars, before, &mut live);
        stms.push(chosen);
        Body { stms, result: vec![var.into()] }
    }

    /// The body, as far as it leads to a call, and yields what that hands on; or as far as it leads to another end.
    fn narrowed(&self, body: &Body, vars: &mut Vec<VarInfo>, kind: EndKind) -> Body {
        let Some(stm) = last(body) else { return body.clone() };
        let mut stms = body.stms[..body.stms.len() - 1].to_vec();
        if let Exp::Control(ControlExp::Call { fun, args }) = &stm.exp
            && *fun == self.id
        {
            let result = self.handed_on(args, stm, vars, &mut stms);
            return Body { stms, result };
        }
        let leads = |body: &&Body| match kind {
            EndKind::Call => self.ends(body).calls > 0,
            EndKind::End => self.ends(body).others > 0,
        };
        let left = branches(&stm.exp).into_iter().filter(leads).count();
        if left == 0 {
            return body.clone();
        }
        if left == 1 {
            // Nothing is left to choose from.
            let taken = branches(&stm.exp).into_iter().find(leads).cloned().unwrap_or_default();
            let taken = self.narrowed(&taken, vars, kind);
            stms.extend(taken.stms.into_iter().map(|inner| relying_on(inner, &stm.certs)));
            return Body { stms, result: taken.result };
        }
        let mut exp = stm.exp.clone();
        if let Exp::Control(ControlExp::Switch { cases, default, .. }) = &mut exp {
            cases.retain(|(_, body)| leads(&body));
            if !leads(&&*default)
                && let Some((_, body)) = cases.pop()
            {
                *default = body;
            }
        }
        each_branch(&mut exp, &mut |branch| *branch = self.narrowed(branch, vars, kind));
        let chosen = match kind {
            EndKind::Call => self.like_params(vars),
            EndKind::End => stm.vars.clone(),
        };
        let result = chosen.iter().map(|var| (*var).into()).collect();
        stms.push(Stm { vars: chosen, exp, ..stm.clone() });
        Body { stms, result }
    }

    /// What a call hands on, which relies on what the call relies on.
    fn handed_on(
        &self,
        args: &[Atom],
        call: &Stm,
        vars: &mut Vec<VarInfo>,
        stms: &mut Vec<Stm>,
    ) -> Vec<Atom> {
        let handed = self.varying.iter().map(|at| args[*at]);
        if call.certs.is_empty() {
            return handed.collect();
        }
        let own = self.like_params(vars);
        for (var, arg) in own.iter().zip(handed) {
            stms.push(Stm { certs: call.certs.clone(), ..Stm::new(vec![*var], Exp::atom(arg), call.span) });
        }
        own.into_iter().map(Atom::Var).collect()
    }

    // # What decides is work

    fn decided_inside(&self, mut vars: Vec<VarInfo>) -> Option<Fun> {
        let fun = self.fun;
        let body = self.with_state(&fun.body, &mut vars)?;
        let [handed, next, finals] =
            ["goes_on", "next", "ended"].map(|name| self.like_state(&mut vars, name));
        let numbers = 1 + self.varying.len();
        let inner = self.with_args(&mut vars, body, &handed[1..numbers], next);
        let mut params = vec![(Param::plain(handed[0]), Atom::bool(true))];
        for (at, var) in self.varying.iter().zip(&handed[1..]) {
            let param = &fun.params[*at];
            params.push((Param { var: *var, unique: param.unique }, param.var.into()));
        }
        for (ret, var) in fun.ret.iter().zip(&handed[numbers..]) {
            params.push((Param::plain(*var), blank(&ret.ty)?));
        }
        let cond = Body { stms: Vec::new(), result: vec![handed[0].into()] };
        let exp = Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body: inner });
        let result = finals[numbers..].iter().map(|var| (*var).into()).collect();
        let stms = vec![Stm::new(finals, exp, fun.span)];
        Some(Fun { vars, body: Body { stms, result }, ..fun.clone() })
    }

    /// The body, which yields whether it called, what it hands on, and what the function yields; blanks for what is not there.
    fn with_state(&self, body: &Body, vars: &mut Vec<VarInfo>) -> Option<Body> {
        let blanks: Option<Vec<Atom>> = self.fun.ret.iter().map(|ret| blank(&ret.ty)).collect();
        let blanks = blanks?;
        let ends = self.ends(body);
        if ends.calls == 0 {
            let mut stms = body.stms.clone();
            let mut result = vec![Atom::bool(false)];
            result.extend(self.nothing_handed_on(vars, &mut stms)?);
            result.extend(&body.result);
            return Some(Body { stms, result });
        }
        let stm = last(body)?;
        let mut stms = body.stms[..body.stms.len() - 1].to_vec();
        if let Exp::Control(ControlExp::Call { args, .. }) = &stm.exp {
            let mut result = vec![Atom::bool(true)];
            result.extend(self.handed_on(args, stm, vars, &mut stms));
            result.extend(blanks);
            return Some(Body { stms, result });
        }
        let mut exp = stm.exp.clone();
        let mut whole = true;
        each_branch(&mut exp, &mut |branch| match self.with_state(branch, vars) {
            Some(made) => *branch = made,
            None => whole = false,
        });
        // An end hands on what a call beside it does, if that is there: then there is nothing to choose.
        let is_end: Vec<bool> = branches(&stm.exp).iter().map(|body| self.ends(body).calls == 0).collect();
        let donor = branches(&exp).into_iter().zip(&is_end).filter(|(_, is_end)| !**is_end);
        if let Some(given) = donor.filter_map(|(body, _)| self.known_before(body)).next() {
            let mut is_end = is_end.iter();
            each_branch(&mut exp, &mut |branch| {
                if is_end.next() == Some(&true) {
                    branch.result.splice(1..=given.len(), given.iter().copied());
                }
            });
        }
        let all = self.like_state(vars, "goes_on");
        let result = all.iter().map(|var| (*var).into()).collect();
        stms.push(Stm { vars: all, exp, ..stm.clone() });
        whole.then_some(Body { stms, result })
    }

    /// What a branch hands on, if its arrays and their sizes are there before it.
    fn known_before(&self, branch: &Body) -> Option<Vec<Atom>> {
        let params: Vec<Var> = self.varying.iter().map(|at| self.fun.params[*at].var).collect();
        let is_inside =
            |atom: &Atom| branch.stms.iter().any(|stm| stm.vars.iter().any(|var| Atom::Var(*var) == *atom));
        let known = |(var, atom): (&Var, &Atom)| match is_inside(atom) {
            false => Some(*atom),
            true if self.ty(*var).is_array() || self.is_size(&params, *var) => None,
            true => Some((*var).into()),
        };
        params.iter().zip(&branch.result[1..]).map(known).collect()
    }

    /// Whether the size of an array among these is this one of them.
    fn is_size(&self, params: &[Var], var: Var) -> bool {
        params.iter().any(|array| self.ty(*array).dims().contains(&Dim::size(var)))
    }

    /// What an end of the function hands on to nobody: the parameters as they were, but arrays whose size is handed on, too, are empty.
    fn nothing_handed_on(&self, vars: &mut Vec<VarInfo>, stms: &mut Vec<Stm>) -> Option<Vec<Atom>> {
        let params: Vec<Var> = self.varying.iter().map(|at| self.fun.params[*at].var).collect();
        let is_handed = |dim: &Dim| dim.atom().and_then(Atom::var).is_some_and(|size| params.contains(&size));
        let uneven = |var: &&Var| self.ty(**var).dims().iter().any(is_handed);
        let can_be_empty =
            params.iter().filter(uneven).all(|var| self.ty(*var).dims().first().is_some_and(is_handed));
        let is_size = |var: Var| self.is_size(&params, var);
        let mut sizes = Subst::default();
        params.iter().filter(|var| is_size(**var)).for_each(|var| sizes.set(*var, Atom::i64(0)));
        let mut handed = Vec::with_capacity(params.len());
        for (at, var) in self.varying.iter().zip(&params) {
            handed.push(match (can_be_empty, self.ty(*var).is_array()) {
                (true, false) if is_size(*var) => Atom::i64(0),
                (true, true) if uneven(&var) => {
                    let mut ty = self.ty(*var).clone();
                    sizes.ty(&mut ty);
                    let none = fresh(vars, "none", ty);
                    stms.push(Stm::new(
                        vec![none],
                        Exp::Array(ArrayExp::ArrayLit(Vec::new())),
                        self.fun.span,
                    ));
                    none.into()
                }
                // It may be gone.
                (_, true) if self.fun.params[*at].unique => return None,
                _ => (*var).into(),
            });
        }
        Some(handed)
    }

    // # Variables

    /// Variables like the parameters that vary.
    fn like_params(&self, vars: &mut Vec<VarInfo>) -> Vec<Var> {
        let mut sizes = Subst::default();
        let mut made = Vec::with_capacity(self.varying.len());
        for at in &self.varying {
            let param = self.fun.params[*at].var;
            let VarInfo { name, ty, .. } = &self.fun.vars[param.0 as usize];
            let var = fresh(vars, name, ty.clone());
            sizes.set(param, var);
            made.push(var);
        }
        sizes.types_of(vars, &made);
        made
    }

    /// Variables for what the function yields, when these stand for the parameters that vary.
    fn like_results(&self, vars: &mut Vec<VarInfo>, args: &[Var]) -> Vec<Var> {
        let mut sizes = Subst::default();
        for (at, arg) in self.varying.iter().zip(args) {
            sizes.set(self.fun.params[*at].var, *arg);
        }
        let made: Vec<Var> = self.fun.ret.iter().map(|ret| fresh(vars, "result", ret.ty.clone())).collect();
        for (var, ret) in made.iter().zip(&self.fun.ret) {
            vars[var.0 as usize].ty = sizes.returned(&ret.ty, &made);
        }
        made
    }

    /// Variables for whether the function goes on, what it hands on, and what it yields.
    fn like_state(&self, vars: &mut Vec<VarInfo>, name: &str) -> Vec<Var> {
        let mut all = vec![fresh(vars, name, Type::bool())];
        all.extend(self.like_params(vars));
        all.extend(self.like_results(vars, &[]));
        all
    }

    /// A body of the function, with these in place of the parameters that vary, which binds and yields these.
    fn with_args(&self, vars: &mut Vec<VarInfo>, body: Body, args: &[Var], bound: Vec<Var>) -> Body {
        let mut all: Vec<Atom> = self.fun.params.iter().map(|param| param.var.into()).collect();
        self.varying.iter().zip(args).for_each(|(at, arg)| all[*at] = (*arg).into());
        // The table of variables has grown since.
        let callee = Fun { vars: vars.clone(), body, ..self.fun.clone() };
        let result = bound.iter().map(|var| (*var).into()).collect();
        let call = Stm::new(bound, Exp::call(self.id, all.clone()), self.fun.span);
        let mut stms = Vec::new();
        splice(vars, &mut stms, &callee, &all, &call);
        Body { stms, result }
    }
}

/// The ends that `narrowed` keeps: tail calls, or returns.
#[derive(Clone, Copy)]
enum EndKind {
    Call,
    End,
}

fn each_branch(exp: &mut Exp, f: &mut dyn FnMut(&mut Body)) {
    match exp {
        Exp::Control(ControlExp::If { then, els, .. }) => [then, els].into_iter().for_each(f),
        Exp::Control(ControlExp::Switch { cases, default, .. }) => {
            cases.iter_mut().map(|(_, body)| body).chain([default]).for_each(f);
        }
        _ => {}
    }
}

/// Whether there is only arithmetic, elements, views and choices.
fn only_computes(body: &Body) -> bool {
    body.stms.iter().all(|stm| match &stm.exp {
        Exp::Scalar(_) | Exp::Cell(_) | Exp::Control(ControlExp::Check(_)) => true,
        Exp::Array(
            ArrayExp::Index { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. },
        ) => true,
        exp @ Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => {
            branches(exp).into_iter().all(only_computes)
        }
        Exp::Array(_) | Exp::Control(_) | Exp::Op(_) => false,
    })
}

/// A number that nobody looks at.
fn blank(ty: &Type) -> Option<Atom> {
    Some(Atom::int(ty.prim()?, 0))
}

fn fresh(vars: &mut Vec<VarInfo>, name: &str, ty: Type) -> Var {
    vars.push(VarInfo::new(name, ty));
    Var(vars.len() as u32 - 1)
}
