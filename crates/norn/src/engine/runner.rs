//! A compiled program in the form that its backend runs, and calls of its entry points.

use super::columns::Column;
use super::crossing::{Incoming, columns_of};
use super::item::Item;
use super::kept::{Argument, fetched};
use norn_exec::{Column as ExecColumn, Ended, Exec, Values};
use norn_interp::Interp;
use norn_ir::failure::Failure;
use norn_ir::nest::{Prog, ShowSite};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub(super) enum Runner {
    Interp {
        interp: Box<Interp>,
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

/// The columns of a result, in the host's memory or wherever they are.
pub(super) enum Results {
    Columns(Vec<Column>),
    Kept(Vec<ExecColumn<'static>>),
}

impl Runner {
    pub fn prog(&self) -> &Prog {
        match self {
            Runner::Interp { interp, .. } => interp.prog(),
            Runner::Compiled { prog, .. } => prog,
        }
    }

    /// Calls the entry point with this number; the arguments are of the types of its parameters. Beside the columns
    /// of the result comes how long it took, without the way of values in and out where that can be told apart.
    pub fn call(&mut self, number: usize, args: &[Argument]) -> Result<(Vec<Column>, Duration), Ended> {
        match self {
            Runner::Interp { interp, .. } => {
                let columns = args.iter().flat_map(|arg| item(arg).columns()).collect();
                let begin = Instant::now();
                let called = interp.call(number, columns);
                let cancelled = interp.cancel_flag().swap(false, Ordering::Relaxed);
                let ended = |failure| if cancelled { Ended::Cancelled } else { Ended::Failed(failure) };
                Ok((called.map_err(ended)?, begin.elapsed()))
            }
            Runner::Compiled { prog, exec, .. } => {
                let incoming = incoming(prog, exec, number, args)?;
                let outcome = exec.call(number, &incoming.values)?;
                Ok((result_columns(prog, number, outcome.values), outcome.time))
            }
        }
    }

    /// The same, but what the GPU can hold of the result stays there.
    pub fn call_holding(&mut self, number: usize, args: &[Argument]) -> Result<(Results, Duration), Ended> {
        let Runner::Compiled { prog, exec, .. } = self else {
            return self.call(number, args).map(|(columns, time)| (Results::Columns(columns), time));
        };
        let incoming = incoming(prog, exec, number, args)?;
        let mut outcome = exec.call_holding(number, &incoming.values)?;
        let columns = &mut outcome.values.columns;
        let is_held = |column: &ExecColumn| matches!(column, ExecColumn::Held(_));
        let is_ref = |column: &ExecColumn| matches!(column, ExecColumn::Ref(_));
        if columns.iter().any(is_held) && outcome.values.cells.is_empty() && !columns.iter().any(is_ref) {
            return Ok((Results::Kept(outcome.values.columns), outcome.time));
        }
        for column in columns {
            *column = fetched(exec, column).map_err(|message| failed(prog, number, message))?;
        }
        Ok((Results::Columns(result_columns(prog, number, outcome.values)), outcome.time))
    }

    /// As `call`, for its time alone: results stay where they are.
    pub fn time(&mut self, number: usize, args: &[Argument]) -> Result<Duration, Ended> {
        match self {
            Runner::Interp { .. } => self.call(number, args).map(|(_, time)| time),
            Runner::Compiled { prog, exec, .. } => {
                let incoming = incoming(prog, exec, number, args)?;
                exec.time(number, &incoming.values)
            }
        }
    }
}

fn item<'a>(arg: &Argument<'a>) -> &'a Item {
    match arg {
        Argument::Item(item) => item,
        Argument::Kept(_) => panic!("the interpreter keeps nothing on a GPU"),
    }
}

/// Arguments as the executor takes them.
fn incoming<'a>(
    prog: &'a Prog,
    exec: &Exec,
    number: usize,
    args: &[Argument<'a>],
) -> Result<Incoming<'a>, Ended> {
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
            Argument::Kept(kept) if exec.takes_held(number) => {
                incoming.values.columns.extend(kept.columns.iter().cloned());
            }
            Argument::Kept(kept) => {
                for column in &kept.columns {
                    let column = fetched(exec, column).map_err(|message| failed(prog, number, message))?;
                    incoming.values.columns.push(column);
                }
            }
        }
    }
    Ok(incoming)
}

fn result_columns(prog: &Prog, number: usize, values: Values<'static>) -> Vec<Column> {
    let result = prog.entries[number].result;
    columns_of(&prog.datas, &prog.ifaces[result.0 as usize], values)
}

fn failed(prog: &Prog, number: usize, message: String) -> Ended {
    let span = prog.funs[prog.entries[number].fun.0 as usize].span;
    Ended::Failed(Failure { message, span, trace: Vec::new(), omitted: 0 })
}
