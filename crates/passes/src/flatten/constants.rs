//! Constants that operators read are computed before them, outside; functions that threads call get them as arguments.
//!
//! ```text
//! fun main (n: i64, xs: [n]i64) -> [n]f32 {            fun main (n: i64, xs: [n]i64) -> [n]f32 {
//!   let ys: [n]f32 = map n (xs) \(x: i64) {              let t: [64]f32 = const table
//!     let y: f32 = call look_up (x)                      let ys: [n]f32 = map n (xs) \(x: i64) {
//!     in y                                                 let y: f32 = call look_up (x, t)
//!   }                                            ==>       in y
//!   in ys                                                }
//! }                                                      in ys
//! fun look_up (x: i64) -> f32 {                        }
//!   let t: [64]f32 = const table                       fun look_up (x: i64, t: [64]f32) -> f32 {
//!   .. t ..                                              .. t ..
//! }                                                    }
//! ```
//!
//! No thread of a device can read a constant by itself: the host computes it when it is first used. `hoist` has already moved out of lambdas
//! the constants that cannot fail, but not those of functions that are too large to be inlined.
//!
//! Needs: a valid program. Gives: no constants inside of operators, nor in functions that are called there, but those that have to do with cells.
//! Keeps: results. A constant that fails does so even if no element comes to it.
//! Cost: linear, times the number of constants that functions which call each other use.

use super::calls::for_each_call;
use crate::nest::subst::Subst;
use norn_base::Span;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    Atom, Body, ConstId, ControlExp, Elem, Exp, FunId, Param, Prog, Stm, Type, Var, VarInfo,
};
use std::collections::{BTreeMap, BTreeSet};

/// The variables in which a function has the values of constants.
type Values = BTreeMap<ConstId, Vec<Var>>;

/// Whether something was changed.
pub fn constants(prog: &mut Prog) -> bool {
    let types: Vec<Option<Vec<Type>>> = prog.consts.iter().map(|c| plain_results(prog, c.fun)).collect();
    if types.iter().all(Option::is_none) {
        return false;
    }
    let in_threads = called_in_operators(prog);
    let needs = needs(prog, &types, &in_threads);
    let mut changed = false;
    for (id, fun) in prog.funs.iter_mut().enumerate() {
        let mut mover = Mover {
            types: &types,
            needs: &needs,
            vars: std::mem::take(&mut fun.vars),
            subst: Subst::default(),
        };
        let mut values = Values::new();
        for constant in &needs[id] {
            let vars = mover.value(*constant);
            fun.params.extend(vars.iter().map(|var| Param { var: *var, unique: false }));
            values.insert(*constant, vars);
        }
        changed |= match in_threads[id] {
            true => mover.inside(&mut fun.body, &values),
            false => mover.outside(&mut fun.body),
        };
        let Mover { mut vars, subst, .. } = mover;
        subst.body_and_types(&mut vars, &mut fun.body);
        fun.vars = vars;
    }
    normalise(prog);
    changed
}

/// The types of what a constant is, if threads can have it.
fn plain_results(prog: &Prog, fun: FunId) -> Option<Vec<Type>> {
    let rets = &prog.funs[fun.0 as usize].ret;
    let is_plain = |ty: &Type| matches!(ty, Type::Value(Elem::Prim(_), _));
    rets.iter().all(|ret| is_plain(&ret.ty)).then(|| rets.iter().map(|ret| ret.ty.clone()).collect())
}

/// Of each function, whether it is called in an operator, by itself or by one that is.
fn called_in_operators(prog: &Prog) -> Vec<bool> {
    let mut found = vec![false; prog.funs.len()];
    let mut work = Vec::new();
    for fun in &prog.funs {
        for_each_call(&fun.body, false, &mut |callee, inside| work.extend(inside.then_some(callee)));
    }
    while let Some(FunId(id)) = work.pop() {
        if !std::mem::replace(&mut found[id as usize], true) {
            for_each_call(&prog.funs[id as usize].body, false, &mut |callee, _| work.push(callee));
        }
    }
    found
}

/// Of each function that is called in operators, the constants that it reads, or one that it calls.
fn needs(prog: &Prog, types: &[Option<Vec<Type>>], in_threads: &[bool]) -> Vec<BTreeSet<ConstId>> {
    let mut needs = vec![BTreeSet::new(); prog.funs.len()];
    for (id, fun) in prog.funs.iter().enumerate().filter(|(id, _)| in_threads[*id]) {
        read_in(&fun.body, types, &mut needs[id]);
    }
    loop {
        let mut grew = false;
        for (id, fun) in prog.funs.iter().enumerate().filter(|(id, _)| in_threads[*id]) {
            let mut of_callees: BTreeSet<ConstId> = BTreeSet::new();
            for_each_call(&fun.body, false, &mut |callee, _| of_callees.extend(&needs[callee.0 as usize]));
            let before = needs[id].len();
            needs[id].extend(of_callees);
            grew |= needs[id].len() > before;
        }
        if !grew {
            return needs;
        }
    }
}

fn read_in(body: &Body, types: &[Option<Vec<Type>>], found: &mut BTreeSet<ConstId>) {
    for stm in &body.stms {
        found.extend(constant(stm, types));
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => read_in(body, types, found),
            Part::Lambda(lambda) => read_in(&lambda.body, types, found),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

fn constant(stm: &Stm, types: &[Option<Vec<Type>>]) -> Option<ConstId> {
    match &stm.exp {
        Exp::Control(ControlExp::Const(id)) if types[id.0 as usize].is_some() => Some(*id),
        _ => None,
    }
}

/// One function being changed.
struct Mover<'a> {
    types: &'a [Option<Vec<Type>>],
    needs: &'a [BTreeSet<ConstId>],
    vars: Vec<VarInfo>,
    /// What stands for variables that were bound to constants inside.
    subst: Subst,
}

impl Mover<'_> {
    /// New variables for a constant.
    fn value(&mut self, id: ConstId) -> Vec<Var> {
        let types = self.types[id.0 as usize].as_deref().unwrap_or_default();
        let first = self.vars.len() as u32;
        let new: Vec<Var> = (0..types.len() as u32).map(|at| Var(first + at)).collect();
        let none = Subst::default();
        self.vars.extend(types.iter().map(|ty| VarInfo::new("known", none.returned(ty, &new))));
        new
    }

    /// Statements that compute constants, and the variables that they bind.
    fn compute(&mut self, ids: &BTreeSet<ConstId>, span: Span, out: &mut Vec<Stm>) -> Values {
        let mut values = Values::new();
        for id in ids {
            let vars = self.value(*id);
            out.push(Stm::new(vars.clone(), Exp::Control(ControlExp::Const(*id)), span));
            values.insert(*id, vars);
        }
        values
    }

    /// A body outside of all operators.
    fn outside(&mut self, body: &mut Body) -> bool {
        let mut changed = false;
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            if stm.exp.op().is_some() {
                let mut ids = BTreeSet::new();
                self.needed_in(&stm, &mut ids);
                let values = self.compute(&ids, stm.span, &mut stms);
                changed |= self.parts_inside(&mut stm, &values);
            } else {
                if let Exp::Control(ControlExp::Call { fun, args: _ }) = &stm.exp {
                    let ids = self.needs[fun.0 as usize].clone();
                    let values = self.compute(&ids, stm.span, &mut stms);
                    changed |= self.hand_on(&mut stm, &values);
                }
                stm.for_each_part_mut(&mut |part| match part {
                    PartMut::Body(body) => changed |= self.outside(body),
                    PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
                });
            }
            stms.push(stm);
        }
        body.stms = stms;
        changed
    }

    /// The constants that the lambdas of an operator read, or functions that they call.
    fn needed_in(&self, stm: &Stm, found: &mut BTreeSet<ConstId>) {
        stm.for_each_part(&mut |part| {
            let body = match part {
                Part::Body(body) => body,
                Part::Lambda(lambda) => &lambda.body,
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => return,
            };
            read_in(body, self.types, found);
            for_each_call(body, true, &mut |callee, _| found.extend(&self.needs[callee.0 as usize]));
        });
    }

    /// A body in an operator, or of a function that is called there: constants are these variables.
    fn inside(&mut self, body: &mut Body, values: &Values) -> bool {
        let mut changed = false;
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            if let Some(known) = constant(&stm, self.types).and_then(|id| values.get(&id)) {
                stm.vars.iter().zip(known).for_each(|(var, known)| self.subst.set(*var, *known));
                changed = true;
                continue;
            }
            changed |= self.hand_on(&mut stm, values);
            changed |= self.parts_inside(&mut stm, values);
            stms.push(stm);
        }
        body.stms = stms;
        changed
    }

    fn parts_inside(&mut self, stm: &mut Stm, values: &Values) -> bool {
        let mut changed = false;
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => changed |= self.inside(body, values),
            PartMut::Lambda(lambda) => changed |= self.inside(&mut lambda.body, values),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
        changed
    }

    /// A call gets the constants that the function needs.
    fn hand_on(&self, stm: &mut Stm, values: &Values) -> bool {
        let Exp::Control(ControlExp::Call { fun, args }) = &mut stm.exp else { return false };
        let needed = &self.needs[fun.0 as usize];
        args.extend(needed.iter().flat_map(|id| &values[id]).map(|var| Atom::Var(*var)));
        !needed.is_empty()
    }
}
