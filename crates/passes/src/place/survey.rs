//! Where the statements of a program will run, and why: what `norn dev --where` shows.
//!
//! The same questions as in `place`, of a program that is not placed yet: its statements still are what the user wrote, or what fusion and
//! distribution made of that.

use super::able::{Able, Way, has_irregular, has_refs};
use crate::nest::effects::{Effects, effects};
use norn_base::Span;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Body, ControlExp, Exp, FunId, LoopForm, Operator, Prog, Stm, VarInfo};

/// A function whose arrays are on the device, or an entry point that has nothing there.
pub struct Surveyed {
    pub name: String,
    pub stms: Vec<Placed>,
}

/// A statement that is more than the host's own arithmetic.
pub struct Placed {
    pub span: Span,
    /// The operator, or what else it is.
    pub what: String,
    pub side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Device,
    /// The host reads an element, and waits for all that was asked before.
    Wait,
    Processor(Why),
}

/// Why a statement runs on the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    Scalars,
    Sequential,
    Recursion,
    RecursiveType,
    Stream,
    Irregular,
    Wide,
    Unknown,
}

impl Why {
    /// A sentence without its full stop.
    pub fn text(self) -> &'static str {
        match self {
            Why::Scalars => "there is nothing in it to do in parallel",
            Why::Sequential => "a loop over elements of arrays in which nothing is done in parallel",
            Why::Recursion => "it calls a function that calls itself, which threads of a device cannot do",
            Why::RecursiveType => {
                "it has a value of a recursive type, which is in the memory of the processor"
            }
            Why::Stream => "a stream, whose chunks are made for the processor",
            Why::Irregular => "rows of different lengths are changed, or made inside others",
            Why::Wide => {
                "its operator combines more than fits into the memory that a group of threads shares"
            }
            Why::Unknown => "no kernel can do it",
        }
    }
}

/// For a program that is about to be placed.
pub fn survey(prog: &Prog) -> Vec<Surveyed> {
    let able = Able::new(prog);
    let mut survey = Survey { prog, able: &able, effects: effects(prog) };
    let mut wanted: Vec<FunId> = Vec::new();
    let add = |wanted: &mut Vec<FunId>, fun: FunId| {
        if !wanted.contains(&fun) {
            wanted.push(fun);
        }
    };
    for entry in &prog.entries {
        add(&mut wanted, entry.fun);
    }
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(id) = wanted.get(next).copied() {
        next += 1;
        let fun = &prog.funs[id.0 as usize];
        let mut stms = Vec::new();
        if able.runs_at_host(id) {
            let mut called = Vec::new();
            survey.body(&fun.vars, &fun.body, &mut stms, &mut called);
            called.into_iter().for_each(|fun| add(&mut wanted, fun));
        } else {
            let side = Side::Processor(survey.why_not(&fun.vars, &fun.body));
            stms.push(Placed { span: fun.span, what: "all of it".into(), side });
        }
        found.push(Surveyed { name: fun.name.clone(), stms });
    }
    found
}

struct Survey<'a> {
    prog: &'a Prog,
    able: &'a Able,
    effects: Effects,
}

impl Survey<'_> {
    fn body(&mut self, vars: &[VarInfo], body: &Body, out: &mut Vec<Placed>, called: &mut Vec<FunId>) {
        for stm in &body.stms {
            let mut place = |side| out.push(Placed { span: stm.span, what: name_of(&stm.exp), side });
            match self.able.way(vars, stm) {
                Way::Device => place(Side::Device),
                Way::Cpu => place(Side::Processor(self.why(vars, stm))),
                Way::Host => match &stm.exp {
                    Exp::Control(ControlExp::Call { fun, args: _ }) => called.push(*fun),
                    Exp::Array(ArrayExp::Index { .. } | ArrayExp::FlatIndex { .. })
                        if stm.vars.iter().all(|var| vars[var.0 as usize].ty.is_scalar()) =>
                    {
                        place(Side::Wait);
                    }
                    exp => exp.for_each_part(&mut |part| {
                        if let Part::Body(body) = part {
                            self.body(vars, body, out, called);
                        }
                    }),
                },
            }
        }
    }

    /// Why nothing of a function is for the device.
    fn why_not(&self, vars: &[VarInfo], body: &Body) -> Why {
        let mut stms = body.stms.iter().filter(|stm| self.able.way(vars, stm) == Way::Cpu);
        stms.next().map_or(Why::Scalars, |stm| self.why(vars, stm))
    }

    fn why(&self, vars: &[VarInfo], stm: &Stm) -> Why {
        let uses = |found: fn(&VarInfo) -> bool| {
            let mut used = Vec::new();
            crate::nest::mentions::in_stm(vars, stm, &mut used);
            used.iter().chain(&stm.vars).any(|var| found(&vars[var.0 as usize]))
        };
        if let Some(why) = self.obstacle(&stm.exp) {
            return why;
        }
        if uses(|info| has_refs(&info.ty)) {
            return Why::RecursiveType;
        }
        match &stm.exp {
            Exp::Control(ControlExp::Loop { form: LoopForm::For(..) | LoopForm::While(_), .. }) => {
                Why::Sequential
            }
            _ if uses(|info| has_irregular(&info.ty)) => Why::Irregular,
            Exp::Op(Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. }) => Why::Wide,
            _ => Why::Unknown,
        }
    }

    /// What no thread of a device can do, somewhere inside.
    fn obstacle(&self, exp: &Exp) -> Option<Why> {
        match exp {
            Exp::Cell(_) => return Some(Why::RecursiveType),
            Exp::Op(Operator::Stream { .. } | Operator::AccStream { .. }) => return Some(Why::Stream),
            Exp::Control(ControlExp::Call { fun, args: _ }) => {
                let callee = &self.prog.funs[fun.0 as usize];
                if self.effects.is_recursive(*fun) {
                    return Some(Why::Recursion);
                }
                return callee.body.stms.iter().find_map(|stm| self.obstacle(&stm.exp));
            }
            _ => {}
        }
        let mut found = None;
        let in_body = |body: &Body| body.stms.iter().find_map(|stm| self.obstacle(&stm.exp));
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => found = found.or_else(|| in_body(body)),
            Part::Lambda(lambda) => found = found.or_else(|| in_body(&lambda.body)),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        found
    }
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
