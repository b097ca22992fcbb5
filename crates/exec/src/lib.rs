//! Runs imp programs on a device.
//!
//! [`Exec`] is a program that is compiled and loaded. Its entry points are called with [`Values`] of the host: columns that fit
//! the entry point (`bind`) become words (`arguments`), the device runs, and the words it leaves become columns again
//! (`results`). How a run fails is told in the words of the program (`failure`).
//!
//! The CPU runs all of a program as compiled code. A device that cannot call functions and launch from anywhere
//! gets only the kernels; then the functions are run here.

mod arguments;
mod bind;
mod column;
mod failure;
mod interface;
mod memory;
mod results;

pub use column::{Array, Cell, Column, Elements, NOWHERE, Values};
pub use failure::Ended;

use arguments::{Arguments, NoMemory};
use norn_ir::failure::Failure;
use norn_ir::imp::Prog;
use norn_runtime::RuntimeError;
use norn_runtime::cpu::{Canceller, Compiled, Cost, Cpu, Instance, Session, Stop};
use results::{Results, result_blocks};
use std::sync::Arc;
use std::time::Duration;

/// A program on a device. Constants are computed once, when first asked for.
pub struct Exec {
    cpu: Arc<Cpu>,
    /// Without its code.
    prog: Prog,
    instance: Instance,
    compile_time: Option<Duration>,
    library: String,
}

/// What came of a call.
pub struct Outcome {
    /// The columns of the entry point's result.
    pub values: Values<'static>,
    /// What the program took, without the values' way in and out.
    pub time: Duration,
}

impl Exec {
    /// Compiles a program, which must obey the rules of imp, unless that was done before.
    pub fn new(cpu: Arc<Cpu>, prog: &Prog) -> Result<Exec, RuntimeError> {
        let text = norn_emit::emit_c(prog);
        // The text is ours.
        let Compiled { library, compile_time, name } = unsafe { cpu.load(&text, prog.entries.len()) }?;
        let instance = Instance::new(&cpu, library)?;
        Ok(Exec { cpu, prog: interface::interface(prog), instance, compile_time, library: name })
    }

    /// A program that was compiled before: what `interface` and `library` said of it then. None if the device has forgotten it.
    pub fn restore(cpu: Arc<Cpu>, interface: Prog, library: &str) -> Option<Exec> {
        // What has that name was compiled from a text of ours.
        let found = unsafe { cpu.find(library, interface.entries.len()) }?;
        let instance = Instance::new(&cpu, found).ok()?;
        Some(Exec { cpu, prog: interface, instance, compile_time: None, library: library.to_string() })
    }

    /// The program without its code: what is needed to call it.
    pub fn interface(&self) -> &Prog {
        &self.prog
    }

    /// The name by which the device knows the compiled program.
    pub fn library(&self) -> &str {
        &self.library
    }

    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// How long the C compiler took, unless it had nothing to do.
    pub fn compile_time(&self) -> Option<Duration> {
        self.compile_time
    }

    /// Ends calls from another thread.
    pub fn canceller(&self) -> Canceller {
        self.instance.canceller()
    }

    /// Whether launches are measured.
    pub fn set_profiling(&mut self, on: bool) {
        self.instance.set_profiling(on);
    }

    /// What launches have cost, by their sites, since this was last asked.
    pub fn take_profile(&mut self) -> Vec<Cost> {
        self.instance.take_profile()
    }

    /// Forgets constants, and says how many blocks nobody has released: none, if the program is right.
    pub fn forget(&mut self) -> usize {
        self.instance.forget()
    }

    /// Calls an entry point (an index into `prog.entries`) with the columns of its arguments, in the order of its
    /// parameters. Sizes and regions that the function wants are found from the columns; a size about which two
    /// columns disagree is a failure.
    pub fn call(&mut self, entry: usize, values: &Values) -> Result<Outcome, Ended> {
        // What the program leaves is what its types say.
        let (values, time) = self.run(entry, values, |results| unsafe { results.read() })?;
        Ok(Outcome { values, time })
    }

    /// As `call`, for its time alone: nobody looks at the results.
    pub fn time(&mut self, entry: usize, values: &Values) -> Result<Duration, Ended> {
        self.run(entry, values, |_| ()).map(|((), time)| time)
    }

    fn run<R: Send>(
        &mut self,
        entry: usize,
        values: &Values,
        read: fn(Results) -> R,
    ) -> Result<(R, Duration), Ended> {
        let prog = &self.prog;
        let entry_point = &prog.entries[entry];
        let failed = |message| {
            let span = prog.funs[entry_point.fun.0 as usize].span;
            Ended::Failed(Failure { message, span, trace: Vec::new(), omitted: 0 })
        };
        let scalars = bind::bind(prog, entry_point, &values.columns).map_err(failed)?;
        let outcome = self.instance.enter(|session| call(session, prog, entry, values, &scalars, read));
        // Constants are kept; whatever else is left was made by compiled code that does not release it.
        let left = if prog.consts.is_empty() { self.instance.live_blocks() } else { 0 };
        debug_assert!(outcome.is_err() || left == 0, "exec: {} leaves {left} blocks", entry_point.name);
        outcome.map_err(|error| match error {
            CallError::NoMemory(bytes) => {
                let memory = self.cpu.memory();
                failed(failure::out_of_memory(bytes, memory.live(), memory.limit()))
            }
            CallError::Stopped(stop) => failure::ended(prog, entry_point.fun, self.cpu.memory(), stop),
        })
    }
}

enum CallError {
    NoMemory(u64),
    Stopped(Stop),
}

/// Calls an entry point with columns that fit it.
fn call<R>(
    session: &mut Session,
    prog: &Prog,
    number: usize,
    values: &Values,
    scalars: &[u64],
    read: fn(Results) -> R,
) -> Result<(R, Duration), CallError> {
    let entry = &prog.entries[number];
    let arguments = match Arguments::new(session, prog, entry, values, scalars) {
        Ok(arguments) => arguments,
        Err(NoMemory(bytes)) => {
            session.abandon();
            return Err(CallError::NoMemory(bytes));
        }
    };
    let mut words = vec![0; entry.rets.iter().map(bind::words).sum()];
    // The words are made by the types of the entry point.
    let called = unsafe { session.call(number, &arguments.words, &mut words) };
    let time = called.map_err(CallError::Stopped)?;
    let args = first_words(entry, &arguments.words);
    let results = Results { prog, entry, session, args, regions: &arguments.regions, words: &words };
    let values = read(results);
    // Copied is all that is needed; what the call holds ends with it.
    unsafe {
        for block in result_blocks(entry, &words).into_iter().chain(arguments.blocks) {
            session.release(block);
        }
        for region in arguments.regions.into_values() {
            session.region_end(region);
        }
    }
    Ok((values, time))
}

/// Of each argument, its first word: sizes are scalars.
fn first_words(entry: &norn_ir::imp::Entry, words: &[u64]) -> Vec<u64> {
    let mut at = 0;
    let first = |ty| {
        let word = words[at];
        at += bind::words(ty);
        word
    };
    entry.args.iter().map(first).collect()
}
