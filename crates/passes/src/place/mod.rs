//! Decide what runs on a device with groups of threads, and what on its host: from nest to flat.
//!
//! Before:
//! ```text
//! fun main (n: i64, xs: [n]f32) -> f32 {
//!   let ys: [n]f32 = map n (xs) ..
//!   let s: f32 = loop (..) for i: i64 < n { .. ys[i] .. }
//! ```
//! After:
//! ```text
//! #[host] fun main (n: i64, xs: [n]f32) -> f32 {
//!   let ys: [n]f32 = grid 0i64 map n (xs) ..      // on the device
//!   let s: f32 = call main_cpu (n, ys)            // on the processor
//! ```
//!
//! Needs: nest, optimised. Gives: flat, in which functions are of three kinds (`flat` says what these mean):
//! - a *host* function has its arrays on the device, and its grids run there;
//! - a *thread* function is called by kernels of the device, and has no grids;
//! - any other runs on the processor and is scheduled for it (`schedule`); a host function that calls it moves arrays
//!   there and back.
//!
//! Keeps: results and failures. Method: from the entry points, each function in the version its callers need. Operators that
//! kernels can run (`able`) are put into grids, arrays that are copied by one thread for each element (`spread`); statements that need arrays on the processor are outlined into functions for it
//! (`outline`), neighbours together. Elements of short arrays that the host made are known to it (`literals`), and numbers that only kernels need stay on the device (`sides`), and checks of what the host knows are its own (`host_checks`). What comes of it, and why, is shown to users by `survey`.
//! Cost: each function is made at most three times. What is outlined looks once at its function.

pub mod able;
mod host_checks;
pub mod literals;
mod outline;
pub mod sides;
mod spread;
pub mod survey;

use crate::schedule::schedule_where;
use able::{Able, RunsOn};
use norn_ir::nest::grids::{HOST, THREAD};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, Body, ControlExp, Exp, Fun, FunId, Grid, LoopForm, Operator, Prog, Stm, Type, Var, VarInfo,
};
use std::collections::HashMap;

pub fn place(prog: &mut Prog) {
    let able = Able::new(prog);
    let originals = std::mem::take(&mut prog.funs);
    let mut placer = Placer {
        signatures: crate::nest::memory::signatures_of(&originals),
        able: &able,
        of: HashMap::new(),
        made: Vec::new(),
        worklist: Vec::new(),
    };
    // Without entry points every function may be one.
    if prog.entries.is_empty() {
        for id in (0..originals.len() as u32).map(FunId) {
            placer.version(id, able.target_at_host(id));
        }
    }
    for entry in &mut prog.entries {
        entry.fun = placer.version(entry.fun, able.target_at_host(entry.fun));
    }
    for constant in &mut prog.consts {
        constant.fun = placer.version(constant.fun, Target::Cpu);
    }
    while let Some((original, target, new)) = placer.worklist.pop() {
        let fun = placer.make(originals[original.0 as usize].clone(), target);
        placer.made[new.0 as usize] = Some(fun);
    }
    prog.funs = placer.made.into_iter().flatten().collect();
    schedule_where(prog, |fun| !is(fun, HOST) && !is(fun, THREAD));
}

/// How a function is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Target {
    Host,
    Thread,
    Cpu,
}

fn new_var(fun: &mut Fun, name: &str, ty: Type) -> Var {
    fun.vars.push(VarInfo::new(name, ty));
    Var(fun.vars.len() as u32 - 1)
}

fn is(fun: &Fun, attr: &str) -> bool {
    fun.attrs.iter().any(|given| given == attr)
}

struct Placer<'a> {
    signatures: Vec<crate::nest::memory::Signature>,
    able: &'a Able,
    /// The version of each function, if it is needed.
    of: HashMap<(FunId, Target), FunId>,
    made: Vec<Option<Fun>>,
    worklist: Vec<(FunId, Target, FunId)>,
}

impl Placer<'_> {
    fn version(&mut self, fun: FunId, target: Target) -> FunId {
        if let Some(version) = self.of.get(&(fun, target)) {
            return *version;
        }
        let new = FunId(self.made.len() as u32);
        self.made.push(None);
        self.of.insert((fun, target), new);
        self.worklist.push((fun, target, new));
        new
    }

    fn make(&mut self, mut fun: Fun, target: Target) -> Fun {
        match target {
            Target::Host => {
                fun.attrs.push(HOST.to_string());
                let mut body = std::mem::take(&mut fun.body);
                literals::know_literals(&fun, &mut body);
                let mentions = outline::Mentions::of(&fun, &body);
                self.host_body(&mut fun, &mentions, &mut body);
                fun.body = body;
                host_checks::check_on_host(&mut fun);
                sides::keep_on_device(&mut fun);
                outline::forget_lost_certs(&mut fun);
                normalise_fun(&mut fun);
            }
            Target::Thread => {
                fun.attrs.push(THREAD.to_string());
                self.calls(&mut fun.body, Target::Thread);
            }
            Target::Cpu => self.calls(&mut fun.body, Target::Cpu),
        }
        fun
    }

    /// Whatever a body calls, in this version.
    fn calls(&mut self, body: &mut Body, target: Target) {
        body.stms.iter_mut().for_each(|stm| self.calls_of(&mut stm.exp, target));
    }

    fn calls_of(&mut self, exp: &mut Exp, target: Target) {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = exp {
            *fun = self.version(*fun, target);
        }
        exp.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => self.calls(body, target),
            PartMut::Lambda(lambda) => self.calls(&mut lambda.body, target),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }

    /// A body that the host runs.
    fn host_body(&mut self, fun: &mut Fun, mentions: &outline::Mentions, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        let mut for_cpu: Vec<Stm> = Vec::new();
        let able = self.able;
        let spread = |fun: &mut Fun, stm: Stm| match &stm.exp {
            Exp::Op(Operator::Map { .. }) if able.runs_on(&fun.vars, &stm) == RunsOn::Device => {
                spread::spread(fun, stm)
            }
            _ => vec![stm],
        };
        let all: Vec<Stm> =
            std::mem::take(&mut body.stms).into_iter().flat_map(|stm| spread(fun, stm)).collect();
        for mut stm in all {
            let runs_on = self.able.runs_on(&fun.vars, &stm);
            if runs_on == RunsOn::Cpu {
                for_cpu.push(stm);
                continue;
            }
            self.outline(fun, mentions, &mut for_cpu, &mut stms);
            match runs_on {
                RunsOn::Device => {
                    self.calls_of(&mut stm.exp, Target::Thread);
                    stm.grid = Some(Grid { work: Atom::i64(0), balance: None });
                }
                RunsOn::Host => self.host_parts(fun, mentions, &mut stm.exp),
                RunsOn::Cpu => {}
            }
            stms.push(stm);
        }
        self.outline(fun, mentions, &mut for_cpu, &mut stms);
        body.stms = stms;
    }

    fn host_parts(&mut self, fun: &mut Fun, mentions: &outline::Mentions, exp: &mut Exp) {
        match exp {
            Exp::Control(ControlExp::Call { fun: callee, args: _ }) => {
                *callee = self.version(*callee, Target::Host)
            }
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.host_body(fun, mentions, then);
                self.host_body(fun, mentions, els);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().for_each(|(_, body)| self.host_body(fun, mentions, body));
                self.host_body(fun, mentions, default);
            }
            Exp::Control(ControlExp::Loop { params: _, form, body }) => {
                match form {
                    LoopForm::For(..) => {}
                    LoopForm::While(cond) => self.host_body(fun, mentions, cond),
                }
                self.host_body(fun, mentions, body);
            }
            _ => {}
        }
    }

    /// The statements as a call of a function for the processor that consists of them.
    fn outline(
        &mut self,
        fun: &mut Fun,
        mentions: &outline::Mentions,
        run: &mut Vec<Stm>,
        out: &mut Vec<Stm>,
    ) {
        let run = std::mem::take(run);
        if run.is_empty() {
            return;
        }
        let (mut outlined, args, results, span) = outline::outline(fun, mentions, run, &self.signatures);
        self.calls(&mut outlined.body, Target::Cpu);
        let id = FunId(self.made.len() as u32);
        self.made.push(Some(outlined));
        let exp = Exp::call(id, args);
        out.push(Stm::new(results, exp, span));
    }
}
