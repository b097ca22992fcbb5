//! A compiled program in the form that its backend runs, and calls of its entry points.

use super::columns::Column;
use super::crossing::{Incoming, columns_of};
use super::kept::{Argument, Kept, fetched};
use crate::on_large_stack;
use norn_exec::{Column as ExecColumn, Elements, Ended, Exec, Outcome, Values};
use norn_interp::Interp;
use norn_ir::failure::Failure;
use norn_ir::nest::{IfaceId, Prog, ShowSite};
use norn_runtime::gpu::Traffic;
use norn_runtime::{Canceller, Stock};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

pub(super) enum Runner {
    Interp {
        prog: Arc<Prog>,
        /// One: calls of an interpreted program wait for each other.
        interp: Stock<Interp>,
        memory_limit: u64,
    },
    /// On the processor, and on a GPU if the backend has one.
    Compiled {
        /// As it was before it was improved: what it is known by outside.
        prog: Box<Prog>,
        exec: Box<Exec>,
        /// What it shows, by the numbers that it writes.
        sites: Vec<ShowSite>,
    },
}

/// What becomes of the results of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResultsAs {
    /// They are in the host's memory, as items.
    Items,
    /// Arrays stay where they are, if that is worth it.
    Kept,
    /// They are not looked at.
    Nothing,
}

/// The columns of a result, in the host's memory or wherever they are.
pub(super) enum Results {
    Columns(Vec<Column>),
    Kept(Vec<ExecColumn<'static>>),
}

/// What came of a call.
pub(super) struct CallOutcome {
    /// No columns, if nothing was requested.
    pub results: Results,
    /// Without the way of values in and out, where that can be distinguished.
    pub time: Duration,
    /// What was asked of the GPU, if the program has a part there.
    pub traffic: Option<Traffic>,
}

impl Runner {
    pub fn interp(prog: Prog, memory_limit: u64) -> Runner {
        let prog = Arc::new(prog);
        let interp = Stock::new(new_interp(&prog, memory_limit), 1);
        Runner::Interp { prog, interp, memory_limit }
    }

    pub fn prog(&self) -> &Prog {
        match self {
            Runner::Interp { prog, .. } => prog,
            Runner::Compiled { prog, .. } => prog,
        }
    }

    /// Calls the entry point with this number; the arguments are of the types of its parameters.
    pub fn call(
        &self,
        number: usize,
        args: &[Argument],
        results_as: ResultsAs,
        canceller: &Canceller,
    ) -> Result<CallOutcome, Ended> {
        match self {
            Runner::Interp { prog, interp, memory_limit } => {
                let make = || new_interp(prog, *memory_limit);
                let columns = interp_columns(prog, number, args)?;
                let run = |interp: &mut Interp| interpret(interp, number, columns, canceller);
                interp.with(canceller, make, run).unwrap_or(Err(Ended::Cancelled))
            }
            Runner::Compiled { prog, exec, .. } => {
                let incoming = incoming(prog, number, args)?;
                let values = &incoming.values;
                let (outcome, results) = match results_as {
                    ResultsAs::Nothing => {
                        let time = exec.time(number, values, canceller)?;
                        return Ok(CallOutcome {
                            results: Results::Columns(Vec::new()),
                            time,
                            traffic: None,
                        });
                    }
                    ResultsAs::Items => {
                        let mut outcome = exec.call(number, values, canceller)?;
                        let values = std::mem::take(&mut outcome.values);
                        (outcome, Results::Columns(result_columns(prog, number, values)))
                    }
                    ResultsAs::Kept => {
                        let mut outcome = exec.call_holding(number, values, canceller)?;
                        let values = std::mem::take(&mut outcome.values);
                        (outcome, kept(prog, exec, number, values)?)
                    }
                };
                let Outcome { time, traffic, .. } = outcome;
                Ok(CallOutcome { results, time, traffic })
            }
        }
    }
}

fn new_interp(prog: &Arc<Prog>, memory_limit: u64) -> Interp {
    let mut interp = Interp::new(prog.clone());
    interp.memory_limit(memory_limit);
    interp
}

/// Programs recurse on the stack of the thread that interprets them.
fn interpret(
    interp: &mut Interp,
    number: usize,
    columns: Vec<Column>,
    canceller: &Canceller,
) -> Result<CallOutcome, Ended> {
    let flag = interp.cancel_flag().clone();
    let stop = flag.clone();
    let begin = Instant::now();
    let called = canceller.during(
        move || stop.store(true, Relaxed),
        || on_large_stack("norn-interp", || interp.call(number, columns)),
    );
    let time = begin.elapsed();
    // Nobody sets it any more, and the next call is another one.
    let was_stopped = flag.swap(false, Relaxed);
    match called {
        None => Err(Ended::Cancelled),
        Some(Err(_)) if was_stopped => Err(Ended::Cancelled),
        Some(Err(failure)) => Err(Ended::Failed(failure)),
        Some(Ok(columns)) => Ok(CallOutcome { results: Results::Columns(columns), time, traffic: None }),
    }
}

/// What stays as it is of a result, if anything does: arrays that are held, and those whose rows differ in length. Where cells are, all of it is fetched.
fn kept(prog: &Prog, exec: &Exec, number: usize, mut values: Values<'static>) -> Result<Results, Ended> {
    let columns = &mut values.columns;
    let stays = |column: &ExecColumn| match column {
        ExecColumn::Held(_) => true,
        ExecColumn::Array(array) => !array.offsets().is_empty(),
        ExecColumn::Scalar(_) | ExecColumn::Ref(_) => false,
    };
    let is_ref = |column: &ExecColumn| match column {
        ExecColumn::Ref(_) => true,
        ExecColumn::Array(array) => matches!(array.elements(), Elements::Ref(_)),
        ExecColumn::Scalar(_) | ExecColumn::Held(_) => false,
    };
    if columns.iter().any(stays) && values.cells.is_empty() && !columns.iter().any(is_ref) {
        return Ok(Results::Kept(values.columns));
    }
    for column in columns {
        *column = fetched(Some(exec), column).map_err(|message| failed(prog, number, message))?;
    }
    Ok(Results::Columns(result_columns(prog, number, values)))
}

/// Arguments as the interpreter takes them.
fn interp_columns(prog: &Prog, number: usize, args: &[Argument]) -> Result<Vec<Column>, Ended> {
    let mut columns = Vec::new();
    for (arg, param) in args.iter().zip(&prog.entries[number].params) {
        match arg {
            Argument::Item(item) => columns.extend(item.columns()),
            Argument::Kept(kept) => {
                let fetched = kept_columns(prog, None, param.ty, kept);
                columns.extend(fetched.map_err(|message| failed(prog, number, message))?);
            }
            Argument::Given(given) => {
                let fetched = given.take().ok_or_else(|| taken(&param.name));
                let fetched = fetched.and_then(|kept| kept_columns(prog, None, param.ty, &kept));
                columns.extend(fetched.map_err(|message| failed(prog, number, message))?);
            }
        }
    }
    Ok(columns)
}

/// What was kept, in the host's memory. The error is a sentence.
pub(super) fn kept_columns(
    prog: &Prog,
    exec: Option<&Exec>,
    ty: IfaceId,
    kept: &Kept,
) -> Result<Vec<Column>, String> {
    let columns: Result<Vec<ExecColumn>, String> =
        kept.columns.iter().map(|column| fetched(exec, column)).collect();
    let values = Values { columns: columns?, cells: Vec::new() };
    Ok(columns_of(&prog.datas, &prog.ifaces[ty.0 as usize], values))
}

/// Arguments as the executor takes them.
fn incoming<'a>(prog: &'a Prog, number: usize, args: &[Argument<'a>]) -> Result<Incoming<'a>, Ended> {
    let mut incoming = Incoming::new(&prog.datas);
    for (arg, param) in args.iter().zip(&prog.entries[number].params) {
        match arg {
            Argument::Item(item) => {
                if incoming.add(item, &prog.ifaces[param.ty.0 as usize]).is_none() {
                    // What the interpreter says of an argument whose rows do not have the sizes that its type says.
                    let message = format!("The argument {} has not the type of its parameter.", param.name);
                    return Err(failed(prog, number, message));
                }
            }
            Argument::Kept(kept) => {
                incoming.values.columns.extend(kept.columns.iter().map(ExecColumn::borrowed))
            }
            Argument::Given(given) => {
                let kept = given.take().ok_or_else(|| failed(prog, number, taken(&param.name)))?;
                incoming.values.columns.extend(kept.columns);
            }
        }
    }
    Ok(incoming)
}

fn taken(name: &str) -> String {
    format!("The argument {name} was given to a call before.")
}

fn result_columns(prog: &Prog, number: usize, values: Values<'static>) -> Vec<Column> {
    let result = prog.entries[number].result;
    columns_of(&prog.datas, &prog.ifaces[result.0 as usize], values)
}

fn failed(prog: &Prog, number: usize, message: String) -> Ended {
    let span = prog.funs[prog.entries[number].fun.0 as usize].span;
    Ended::Failed(Failure { message, span, trace: Vec::new(), omitted: 0 })
}
