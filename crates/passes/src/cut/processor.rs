//! Parts that the processor does: which tasks it can do some of, and how much work their operators are.
//!
//! The code of a part is generated twice, as kernels and as loops of the processor, and whoever runs it takes one of them. The processor can do what a part asks of kernels, but for what is bound to the
//! device: functions that are compiled for its threads, constants and cells in its memory. Kernels have no estimate of their work, which the processor needs to share it among its threads; so it is
//! computed here, from what the host knows.

use crate::schedule::amount::{Amount, Factor, Term};
use crate::schedule::emit::Emit;
use crate::schedule::work::{FunWork, work};
use norn_base::Span;
use norn_ir::nest::grids::{HOST, PROCESSOR};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::task::Task;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Body, ControlExp, Exp, Grid, Operator, Prog, Side, Stm, VarInfo};

/// How many elements rows of different lengths have, which the host would have to ask for, and how often a loop runs of which only the device knows that.
const GUESS: u64 = 64;

/// A task of which the processor can do nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GpuOnly {
    /// The function that it is in.
    pub fun: String,
    pub span: Span,
    pub why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    Calls,
    Constants,
    Cells,
    Rows,
}

impl Why {
    pub fn text(self) -> &'static str {
        match self {
            Why::Calls => "calls a function that is compiled for threads of the GPU",
            Why::Constants => "uses a constant in the memory of the GPU",
            Why::Cells => "makes or reads values of a recursive type",
            Why::Rows => "makes rows of different lengths",
        }
    }
}

/// The tasks of a program that is not cut yet of which the processor can do nothing.
pub fn gpu_only(prog: &Prog) -> Vec<GpuOnly> {
    let mut found = Vec::new();
    for fun in &prog.funs {
        tasks_in(&fun.body, &mut |task, span| {
            let why = if super::apart::are_places_known(task) { obstacle(task) } else { Some(Why::Rows) };
            found.extend(why.map(|why| GpuOnly { fun: fun.name.clone(), span, why }));
        });
    }
    found
}

fn tasks_in(body: &Body, visit: &mut dyn FnMut(&Task, Span)) {
    for stm in &body.stms {
        if let Exp::Op(Operator::Task(task)) = &stm.exp {
            visit(task, stm.span);
            continue;
        }
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                tasks_in(body, visit);
            }
        });
    }
}

/// Why the processor can do no part of a task, if so.
pub(super) fn obstacle(task: &Task) -> Option<Why> {
    let totals = task.carries.iter().map(|carry| &carry.total);
    totals.chain([&task.lambda]).find_map(|lambda| obstacle_in(&lambda.body))
}

fn obstacle_in(body: &Body) -> Option<Why> {
    body.stms.iter().find_map(|stm| {
        let here = match &stm.exp {
            Exp::Control(ControlExp::Call { .. }) => Some(Why::Calls),
            Exp::Control(ControlExp::Const(_)) => Some(Why::Constants),
            Exp::Cell(_) => Some(Why::Cells),
            Exp::Control(_) | Exp::Scalar(_) | Exp::Array(_) | Exp::Op(_) => None,
        };
        let mut inside = None;
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                inside = inside.or_else(|| obstacle_in(body));
            }
        });
        here.or(inside)
    })
}

/// The kernels of parts that the processor can do have an amount of work.
pub(super) fn weigh(prog: &mut Prog) {
    let table = work(prog);
    for (fun, work) in prog.funs.iter_mut().zip(&table) {
        if fun.attrs.iter().any(|attr| attr == HOST) {
            let mut body = std::mem::take(&mut fun.body);
            weigh_body(&mut fun.vars, &mut body, work, false);
            fun.body = body;
            normalise_fun(fun);
        }
    }
}

fn weigh_body(vars: &mut Vec<VarInfo>, body: &mut Body, work: &FunWork, is_part: bool) {
    let mut stms = Vec::with_capacity(body.stms.len());
    for mut stm in std::mem::take(&mut body.stms) {
        match (is_part && stm.grid.is_some(), work.of(&stm)) {
            (true, Some(found)) => {
                let amount = guessed(vars, &found.total);
                let work = Emit::new(vars, &mut stms, stm.span).amount(&amount);
                stm.grid = Some(Grid { work, balance: None });
            }
            (true, None) => {}
            (false, _) => {
                let is_part = is_part || stm.attrs.iter().any(|attr| attr == PROCESSOR);
                inside(&mut stm, &mut |body| weigh_body(vars, body, work, is_part));
            }
        }
        stms.push(stm);
    }
    body.stms = stms;
}

fn inside(stm: &mut Stm, change: &mut dyn FnMut(&mut Body)) {
    stm.for_each_part_mut(&mut |part| {
        if let PartMut::Body(body) = part {
            change(body);
        }
    });
}

/// In terms of what the host knows.
fn guessed(vars: &[VarInfo], amount: &Amount) -> Amount {
    let mut guessed = Amount::default();
    for Term { times, factors } in amount.terms() {
        let is_known = |factor: &&Factor| match factor {
            Factor::Size(var) => vars[var.0 as usize].side != Some(Side::Device),
            Factor::Rows(..) => false,
        };
        let known: Vec<Factor> = factors.iter().filter(is_known).copied().collect();
        let unknown = (factors.len() - known.len()) as u32;
        let times = times.saturating_mul(GUESS.saturating_pow(unknown));
        guessed = guessed.plus(&Amount::from(Term { times, factors: known }));
    }
    guessed
}
