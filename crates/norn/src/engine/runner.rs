//! A compiled program in the form that its backend runs, and calls of its entry points.

use super::columns::Column;
use super::crossing::{Incoming, columns_of};
use super::item::Item;
use norn_exec::{Ended, Exec};
use norn_interp::Interp;
use norn_ir::failure::Failure;
use norn_ir::nest::{IfaceId, Prog};
use std::time::{Duration, Instant};

pub(super) enum Runner {
    Interp(Box<Interp>),
    Cpu {
        /// As it was before it was improved: what it is known by outside.
        prog: Box<Prog>,
        exec: Box<Exec>,
    },
}

impl Runner {
    pub fn prog(&self) -> &Prog {
        match self {
            Runner::Interp(interp) => interp.prog(),
            Runner::Cpu { prog, .. } => prog,
        }
    }

    /// Calls the entry point with this number; the arguments are of the types of its parameters. Beside the columns of the result comes
    /// how long it took, without the way of values in and out where that can be told apart.
    pub fn call(&mut self, number: usize, args: &[Item]) -> Result<(Vec<Column>, Duration), Ended> {
        match self {
            Runner::Interp(interp) => {
                let columns = args.iter().flat_map(Item::columns).collect();
                let begin = Instant::now();
                let results = interp.call(number, columns).map_err(Ended::Failed)?;
                Ok((results, begin.elapsed()))
            }
            Runner::Cpu { prog, exec } => {
                let incoming = incoming(prog, number, args)?;
                let outcome = exec.call(number, &incoming.values)?;
                let result = result_iface(prog, number);
                let columns = columns_of(&prog.datas, &prog.ifaces[result.0 as usize], outcome.values);
                Ok((columns, outcome.time))
            }
        }
    }

    /// As `call`, for its time alone: results stay where they are.
    pub fn time(&mut self, number: usize, args: &[Item]) -> Result<Duration, Ended> {
        match self {
            Runner::Interp(_) => self.call(number, args).map(|(_, time)| time),
            Runner::Cpu { prog, exec } => exec.time(number, &incoming(prog, number, args)?.values),
        }
    }
}

/// Arguments as the executor takes them.
fn incoming<'a>(prog: &'a Prog, number: usize, args: &'a [Item]) -> Result<Incoming<'a>, Ended> {
    let mut incoming = Incoming::new(&prog.datas);
    for (arg, param) in args.iter().zip(&prog.entries[number].params) {
        if incoming.add(arg, &prog.ifaces[param.ty.0 as usize]).is_none() {
            return Err(wrong_shape(prog, number, &param.name));
        }
    }
    Ok(incoming)
}

fn result_iface(prog: &Prog, number: usize) -> IfaceId {
    prog.entries[number].result
}

/// What the interpreter says of an argument whose rows do not have the sizes that its type says.
fn wrong_shape(prog: &Prog, number: usize, name: &str) -> Ended {
    let span = prog.funs[prog.entries[number].fun.0 as usize].span;
    let message = format!("The argument {name} has not the type of its parameter.");
    Ended::Failed(Failure { message, span, trace: Vec::new(), omitted: 0 })
}
