//! Calls inside maps: the functions that are called there and hold parallelism are put in place, so that distribution sees it.
//!
//! Those that call themselves cannot be; they are lifted (`lift`).

use super::worth::Worth;
use crate::nest::effects::Effects;
use norn_ir::nest::splice::splice;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Body, ControlExp, Exp, Fun, FunId, Prog, Stm, VarInfo};

/// As many statements are added at most.
const ROOM: usize = 20_000;

pub struct Inliner<'a> {
    /// As they were.
    funs: &'a [Fun],
    worth: &'a Worth,
    effects: &'a Effects,
    room: usize,
}

impl<'a> Inliner<'a> {
    pub fn new(funs: &'a [Fun], worth: &'a Worth, effects: &'a Effects) -> Inliner<'a> {
        Inliner { funs, worth, effects, room: ROOM }
    }

    pub fn has_changed(&self) -> bool {
        self.room < ROOM
    }

    /// In all maps of a function; if it is called in a map itself, everywhere.
    pub fn fun(&mut self, fun: &mut Fun, in_map: bool) {
        let mut body = std::mem::take(&mut fun.body);
        self.body(&mut fun.vars, &mut body, in_map);
        fun.body = body;
    }

    fn body(&mut self, vars: &mut Vec<VarInfo>, body: &mut Body, in_map: bool) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for stm in std::mem::take(&mut body.stms) {
            self.stm(vars, stm, in_map, &mut stms);
        }
        body.stms = stms;
    }

    fn stm(&mut self, vars: &mut Vec<VarInfo>, mut stm: Stm, in_map: bool, out: &mut Vec<Stm>) {
        if let Exp::Control(ControlExp::Call { fun, args }) = &stm.exp
            && in_map
            && self.should_inline(*fun)
        {
            let mut spliced = Vec::new();
            splice(vars, &mut spliced, &self.funs[fun.0 as usize], args, &stm);
            self.room = self.room.saturating_sub(spliced.len());
            return spliced.into_iter().for_each(|stm| self.stm(vars, stm, true, out));
        }
        let in_map = in_map || stm.exp.op().is_some();
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => self.body(vars, body, in_map),
            PartMut::Lambda(lambda) => self.body(vars, &mut lambda.body, in_map),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
        out.push(stm);
    }

    fn should_inline(&self, fun: FunId) -> bool {
        let marked = self.funs[fun.0 as usize].attrs.iter().any(|attr| attr == "noinline");
        self.worth.in_fun(fun) && !self.effects.is_recursive(fun) && !marked && self.room > 0
    }
}

/// Which functions are called outside all maps: by entry points and constants, by each other, and those that nobody calls.
pub fn called_outside(prog: &Prog) -> Vec<bool> {
    let mut outside: Vec<Vec<usize>> = Vec::new();
    let mut called = vec![false; prog.funs.len()];
    for fun in &prog.funs {
        let mut found = Vec::new();
        for_each_call(&fun.body, false, &mut |callee, in_map| {
            called[callee.0 as usize] = true;
            if !in_map {
                found.push(callee.0 as usize);
            }
        });
        outside.push(found);
    }
    let roots =
        prog.entries.iter().map(|entry| entry.fun).chain(prog.consts.iter().map(|constant| constant.fun));
    let mut work: Vec<usize> = roots.map(|fun| fun.0 as usize).collect();
    work.extend((0..prog.funs.len()).filter(|fun| !called[*fun]));
    let mut found = vec![false; prog.funs.len()];
    while let Some(fun) = work.pop() {
        if !std::mem::replace(&mut found[fun], true) {
            work.extend(&outside[fun]);
        }
    }
    found
}

/// Every call, and whether it is in a map or another operator.
pub fn for_each_call(body: &Body, in_map: bool, f: &mut dyn FnMut(FunId, bool)) {
    use norn_ir::nest::walk::Part;
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &stm.exp {
            f(*fun, in_map);
        }
        let in_map = in_map || stm.exp.op().is_some();
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => for_each_call(body, in_map, f),
            Part::Lambda(lambda) => for_each_call(&lambda.body, in_map, f),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

/// As `for_each_call`; the function that is called may be changed.
pub fn for_each_call_mut(body: &mut Body, in_map: bool, f: &mut dyn FnMut(&mut FunId, bool)) {
    for stm in &mut body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &mut stm.exp {
            f(fun, in_map);
        }
        let in_map = in_map || stm.exp.op().is_some();
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => for_each_call_mut(body, in_map, f),
            PartMut::Lambda(lambda) => for_each_call_mut(&mut lambda.body, in_map, f),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}
