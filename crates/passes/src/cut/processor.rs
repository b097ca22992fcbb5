//! Parts that the processor does: which tasks it can do some of, and how much work their operators are.
//!
//! The code of a part is generated twice, as kernels and as loops of the processor, and whoever runs it takes one of them. The processor can do what a part asks of kernels, but for what is bound to the
//! device: functions that are compiled for its threads, constants and cells in its memory. Kernels have no estimate of their work, which the processor needs to share it among its threads; so it is
//! computed here, from what the host knows.

use crate::schedule::amount::{Amount, Factor, Term};
use crate::schedule::emit::Emit;
use crate::schedule::work::{FunWork, work};
use norn_ir::nest::grids::{HOST, PROCESSOR};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::task::Task;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Body, ControlExp, Exp, Grid, Prog, Side, Stm, VarInfo};

/// How many elements rows of different lengths have, which the host would have to ask for, and how often a loop runs of which only the device knows that.
const GUESS: u64 = 64;

/// Whether the processor can do parts of a task.
pub(super) fn is_possible(task: &Task) -> bool {
    let totals = task.carries.iter().map(|carry| &carry.total);
    totals.chain([&task.lambda]).all(|lambda| can_do(&lambda.body))
}

fn can_do(body: &Body) -> bool {
    body.stms.iter().all(|stm| {
        let here = match &stm.exp {
            Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_)) | Exp::Cell(_) => false,
            Exp::Control(_) | Exp::Scalar(_) | Exp::Array(_) | Exp::Op(_) => true,
        };
        let mut inside = true;
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                inside &= can_do(body);
            }
        });
        here && inside
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
