//! Reports where the statements of a program will run, and why: the output of `norn dev --where`, and what `--strict-device` refuses.
//!
//! It applies the rules of `place` (`able`) to a program that is not placed yet, since its statements still are those of the user, or
//! what fusion and distribution made of them. For each function it lists kernels (`Device`), waits of the host for the device (`Wait`,
//! and `WaitAgain` for a second one in the same step of a loop), and what runs on the processor, with one reason (`Why`).
//!
//! It changes nothing. Scalars, views and control flow of the host are not listed.

use super::able::{Able, RunsOn, has_irregular, has_refs};
use crate::flatten::one_group::BEGUN;
use crate::nest::effects::{Effects, effects};
use crate::single::PROCESSOR;
use norn_base::Span;
use norn_ir::nest::grids::needs::{host_needs, reduced_by};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Body, ControlExp, Exp, FunId, LoopForm, Operator, Prog, Stm, Type, Var, VarInfo,
};
use std::collections::HashSet;

/// A function whose arrays are on the device, or an entry point that has nothing there.
pub struct Surveyed {
    pub name: String,
    pub span: Span,
    pub stms: Vec<Placed>,
}

/// A statement that is more than the host's own arithmetic.
pub struct Placed {
    pub span: Span,
    /// The operator, or what else it is.
    pub what: String,
    pub side: Side,
}

impl Placed {
    /// Whether it stands for a function nothing of which is for the device.
    pub fn is_whole(&self) -> bool {
        self.what == WHOLE
    }
}

const WHOLE: &str = "all of it";

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    Device,
    /// The host reads an element, and waits for all work that was issued before.
    Wait,
    /// The same, and has waited in this step of the loop before, for something else.
    WaitAgain,
    Processor(Why),
}

/// Why a statement runs on the processor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    Scalars,
    Sequential,
    Recursion,
    RecursiveType,
    Stream,
    Irregular,
    Wide,
    /// It could be done in a single thread, but costs less here.
    Cheaper,
    Unknown,
}

impl Why {
    /// A sentence without its full stop.
    pub fn text(self) -> &'static str {
        match self {
            Why::Scalars => "there is nothing in it to do in parallel",
            Why::Sequential => "it is a loop over elements of arrays in which nothing is done in parallel",
            Why::Recursion => "it calls a function that calls itself, in which nothing is done in parallel",
            Why::RecursiveType => {
                "it has values of a recursive type beside arrays, in a way that no kernel can do"
            }
            Why::Stream => {
                "it is a stream that writes to accumulators in branches or loops, or has values of a recursive type"
            }
            Why::Irregular => "rows of different lengths are changed, or made inside others",
            Why::Wide => {
                "its operator combines more than fits into the memory that a group of threads shares"
            }
            Why::Cheaper => {
                "it is a long loop over elements of arrays in which nothing is done in parallel, for which one thread of the device is too slow"
            }
            Why::Unknown => "no kernel can do it",
        }
    }
}

/// For a program that is about to be placed.
pub fn survey(prog: &Prog) -> Vec<Surveyed> {
    let able = Able::new(prog);
    let mut obstacles =
        Obstacles { prog, able: &able, effects: effects(prog), of_fun: vec![None; prog.funs.len()] };
    for fun in 0..prog.funs.len() as u32 {
        obstacles.in_fun(FunId(fun));
    }
    let mut survey =
        Survey { prog, able: &able, obstacles, step: None, ends: HashSet::new(), read: HashSet::new() };
    let mut reached: Vec<FunId> = Vec::new();
    let add = |reached: &mut Vec<FunId>, fun: FunId| {
        if !reached.contains(&fun) {
            reached.push(fun);
        }
    };
    for entry in &prog.entries {
        add(&mut reached, entry.fun);
    }
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(id) = reached.get(next).copied() {
        next += 1;
        let fun = &prog.funs[id.0 as usize];
        let mut stms = Vec::new();
        if able.runs_at_host(id) {
            survey.ends.clear();
            survey.read = read_by_host(&able, &fun.vars, &fun.body);
            let mut called = Vec::new();
            survey.body(&fun.vars, &fun.body, &mut stms, &mut called);
            called.into_iter().for_each(|fun| add(&mut reached, fun));
        } else {
            let side = Side::Processor(survey.why_not(&fun.vars, &fun.body));
            stms.push(Placed { span: fun.span, what: WHOLE.into(), side });
        }
        found.push(Surveyed { name: fun.name.clone(), span: fun.span, stms });
    }
    found
}

struct Survey<'a> {
    prog: &'a Prog,
    able: &'a Able,
    obstacles: Obstacles<'a>,
    /// The step of the loop that we are in, if it is one.
    step: Option<Step>,
    /// Where rows end, in the function that is looked at.
    ends: HashSet<Var>,
    /// What the host needs there of what kernels reduce to, other than for sizes: nothing can go on without those.
    read: HashSet<Var>,
}

fn read_by_host(able: &Able, vars: &[VarInfo], body: &Body) -> HashSet<Var> {
    let is_kernel = |stm: &Stm| stm.exp.op().is_some() && able.runs_on(vars, stm) == RunsOn::Device;
    let mut reduced = Vec::new();
    reduced_by(body, &is_kernel, &mut reduced);
    let mut needed = HashSet::new();
    host_needs(vars, body, &is_kernel, &mut |var| _ = needed.insert(var));
    let mut sizes = HashSet::new();
    vars.iter().for_each(|info| info.ty.for_each_var(&mut |size| _ = sizes.insert(size)));
    let is_read =
        |var: &Var| vars[var.0 as usize].ty.is_scalar() && needed.contains(var) && !sizes.contains(var);
    reduced.into_iter().filter(is_read).collect()
}

/// What the host has done in a step of a loop.
#[derive(Clone, Copy)]
struct Step {
    waited: bool,
    /// Whether the device got something to do since the host waited.
    is_busy: bool,
}

impl Step {
    /// What may have been done where branches join.
    fn or(self, other: Step) -> Step {
        Step { waited: self.waited || other.waited, is_busy: self.is_busy || other.is_busy }
    }
}

impl Survey<'_> {
    fn body(&mut self, vars: &[VarInfo], body: &Body, out: &mut Vec<Placed>, called: &mut Vec<FunId>) {
        for stm in &body.stms {
            let mut place = |side| out.push(Placed { span: stm.span, what: name_of(&stm.exp), side });
            match self.able.runs_on(vars, stm) {
                RunsOn::Device => {
                    place(Side::Device);
                    self.step.iter_mut().for_each(|step| step.is_busy = true);
                    if stm.vars.iter().any(|var| self.read.contains(var)) {
                        place(self.wait());
                    }
                }
                RunsOn::Cpu => place(Side::Processor(self.why(vars, stm))),
                RunsOn::Host => match &stm.exp {
                    Exp::Control(ControlExp::Call { fun, args: _ }) => called.push(*fun),
                    Exp::Array(ArrayExp::Ends(_)) => self.ends.extend(&stm.vars),
                    // How many elements there will be: nothing can go on without that.
                    Exp::Array(ArrayExp::Index { array, .. }) if self.ends.contains(array) => {}
                    Exp::Array(ArrayExp::Index { .. } | ArrayExp::FlatIndex { .. })
                        if stm.vars.iter().all(|var| vars[var.0 as usize].ty.is_scalar()) =>
                    {
                        place(self.wait());
                    }
                    Exp::Control(ControlExp::Loop { body, form, .. }) => {
                        self.in_step(&mut |this| {
                            this.body(vars, body, out, called);
                            if let LoopForm::While(cond) = form {
                                this.body(vars, cond, out, called);
                            }
                        });
                    }
                    Exp::Control(ControlExp::If { then, .. })
                        if stm.attrs.iter().any(|attr| attr == BEGUN) =>
                    {
                        // A step of the loop itself.
                        self.in_step(&mut |this| this.body(vars, then, out, called));
                    }
                    exp => {
                        // One of the branches runs.
                        let before = self.step;
                        let mut after = before;
                        exp.for_each_part(&mut |part| {
                            if let Part::Body(body) = part {
                                self.step = before;
                                self.body(vars, body, out, called);
                                after = after.zip(self.step).map(|(one, other)| one.or(other));
                            }
                        });
                        self.step = after;
                    }
                },
            }
        }
    }

    /// What is in a step of a loop of its own.
    fn in_step(&mut self, f: &mut dyn FnMut(&mut Self)) {
        let around = self.step.replace(Step { waited: false, is_busy: true });
        f(self);
        self.step = around.map(|around| Step { is_busy: true, ..around });
    }

    fn wait(&mut self) -> Side {
        let Some(step) = &mut self.step else { return Side::Wait };
        let side = if step.waited && step.is_busy { Side::WaitAgain } else { Side::Wait };
        *step = Step { waited: true, is_busy: false };
        side
    }

    /// Why nothing of a function is for the device.
    fn why_not(&self, vars: &[VarInfo], body: &Body) -> Why {
        let mut stms = body.stms.iter().filter(|stm| self.able.runs_on(vars, stm) == RunsOn::Cpu);
        stms.next().map_or(Why::Scalars, |stm| self.why(vars, stm))
    }

    fn why(&self, vars: &[VarInfo], stm: &Stm) -> Why {
        let uses = |found: fn(&VarInfo) -> bool| {
            let mut used = Vec::new();
            crate::nest::mentions::in_stm(vars, stm, &mut used);
            used.iter().chain(&stm.vars).any(|var| found(&vars[var.0 as usize]))
        };
        if stm.attrs.iter().any(|attr| attr == PROCESSOR) {
            return Why::Cheaper;
        }
        if let Some(why) = self.obstacles.known_in(&stm.exp) {
            return why;
        }
        if uses(|info| has_refs(&info.ty)) && uses(|info| info.ty.is_array()) {
            return Why::RecursiveType;
        }
        match &stm.exp {
            Exp::Control(ControlExp::Loop { form: LoopForm::For(..) | LoopForm::While(_), .. }) => {
                Why::Sequential
            }
            Exp::Control(ControlExp::Call { fun, args: _ }) if self.obstacles.effects.is_recursive(*fun) => {
                if uses(|info| info.ty.is_array()) {
                    Why::Recursion
                } else {
                    Why::Scalars
                }
            }
            Exp::Control(ControlExp::Call { fun, args: _ }) => {
                let callee = &self.prog.funs[fun.0 as usize];
                self.why_not(&callee.vars, &callee.body)
            }
            _ if !uses(|info| info.ty.is_array()) => Why::Scalars,
            _ if uses(|info| has_irregular(&info.ty)) => Why::Irregular,
            Exp::Op(Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. }) => Why::Wide,
            _ => Why::Unknown,
        }
    }
}

/// What no thread of a device can do, somewhere inside. Of each function it is found once.
struct Obstacles<'a> {
    prog: &'a Prog,
    able: &'a Able,
    effects: Effects,
    of_fun: Vec<Option<Option<Why>>>,
}

impl Obstacles<'_> {
    fn in_fun(&mut self, fun: FunId) -> Option<Why> {
        let prog = self.prog;
        if self.of_fun[fun.0 as usize].is_none() {
            // What it finds in itself, it finds elsewhere, too.
            self.of_fun[fun.0 as usize] = Some(None);
            let body = &prog.funs[fun.0 as usize].body;
            let found = obstacle_in(body, &mut |fun| self.in_fun(fun));
            let vars = &prog.funs[fun.0 as usize].vars;
            let has = |found: fn(&Type) -> bool| vars.iter().any(|info| found(&info.ty));
            // Single cells are as single numbers.
            let handles_arrays = has(has_refs) && has(Type::is_array);
            self.of_fun[fun.0 as usize] = Some(found.or(handles_arrays.then_some(Why::RecursiveType)));
        }
        self.of_fun[fun.0 as usize].flatten()
    }

    /// After those of all functions were found.
    fn known_in(&self, exp: &Exp) -> Option<Why> {
        obstacle(exp, &mut |fun| {
            let is_stuck = self.effects.is_recursive(fun) && !self.able.runs_in_threads(fun);
            self.of_fun[fun.0 as usize].flatten().or(is_stuck.then_some(Why::Recursion))
        })
    }
}

fn obstacle_in(body: &Body, in_fun: &mut dyn FnMut(FunId) -> Option<Why>) -> Option<Why> {
    body.stms.iter().find_map(|stm| obstacle(&stm.exp, in_fun))
}

fn obstacle(exp: &Exp, in_fun: &mut dyn FnMut(FunId) -> Option<Why>) -> Option<Why> {
    match exp {
        Exp::Op(Operator::Stream { .. } | Operator::AccStream { .. }) => return Some(Why::Stream),
        Exp::Control(ControlExp::Call { fun, args: _ }) => return in_fun(*fun),
        _ => {}
    }
    let mut found = None;
    exp.for_each_part(&mut |part| {
        let body = match part {
            Part::Body(body) => body,
            Part::Lambda(lambda) => &lambda.body,
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => return,
        };
        if found.is_none() {
            found = obstacle_in(body, in_fun);
        }
    });
    found
}

fn name_of(exp: &Exp) -> String {
    match exp {
        Exp::Op(op) => op.name().to_string(),
        Exp::Control(ControlExp::Loop { .. }) => "loop".into(),
        Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => "branch".into(),
        Exp::Control(ControlExp::Call { .. }) => "call".into(),
        Exp::Control(_) => "check".into(),
        Exp::Array(ArrayExp::Index { .. } | ArrayExp::FlatIndex { .. }) => "read".into(),
        Exp::Array(ArrayExp::Update { .. } | ArrayExp::FlatUpdate { .. }) => "update".into(),
        Exp::Array(_) => "array".into(),
        Exp::Cell(_) => "value".into(),
        Exp::Scalar(_) => "scalar".into(),
    }
}
