//! Compiled code yields what the interpreter yields, whatever comes in.
//!
//! A program is compiled once; each of its entry points whose arguments can be made up (`inputs`) is called on both
//! with the same arguments, first small ones, then larger ones as long as the interpreter is quick. What comes out
//! is compared by its type (`compare`). Both failing is as good; of several failures any may be reported. Where one
//! has no more memory or stack nothing can be said, nor of a program without its checks (`#[unsafe]`).

mod compare;
mod inputs;

use crate::fuzzing::{gpu, is_about_gpu};
use crate::nestfuzz::panics::caught;
use crate::rng::Rng;
use compare::{difference, shortened};
use inputs::{LARGEST, Scale, arguments, can_be_made};
use norn::engine::{Backend, CompileError, CpuOptions, Engine, Options};
use norn_interp::{Interp, Value};
use std::path::Path;
use std::time::{Duration, Instant};

/// Larger arguments are not tried if a call takes longer.
const QUICK: Duration = Duration::from_millis(200);
/// Smaller ones are always tried.
const SMALL: usize = 5;
/// For compiled programs.
const MEMORY: u64 = 1 << 30;

/// What is being done to a program. Where it crashes or does not end, this is what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Compiling,
    /// The entry point and its arguments.
    Interpreting(String),
    Running(String),
}

/// How often entry points were called, and how often both failed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Calls {
    pub all: usize,
    pub failed: usize,
}

/// Compares the interpreter with compiled code on a program: on the processor, and with the kernels of a GPU (`fuzzing::gpu`), or with those alone if one was asked for. The error says where they differ.
pub fn examine(path: &Path, seed: u64, tell: &mut dyn FnMut(&Step)) -> Result<Calls, String> {
    let mut calls = Calls::default();
    if std::fs::read_to_string(path).is_ok_and(|text| text.contains("unsafe")) {
        return Ok(calls);
    }
    if !is_about_gpu() {
        examine_on(Backend::Cpu, path, seed, &mut calls, tell)?;
    }
    if let Some(backend) = gpu() {
        examine_on(backend, path, seed, &mut calls, tell)?;
    }
    Ok(calls)
}

fn examine_on(
    backend: Backend,
    path: &Path,
    seed: u64,
    calls: &mut Calls,
    tell: &mut dyn FnMut(&Step),
) -> Result<(), String> {
    tell(&Step::Compiling);
    let cpu = CpuOptions { memory_limit: Some(MEMORY), ..CpuOptions::default() };
    let options = Options { cpu, ..Options::from(backend) };
    let mut engine = match caught(|| Engine::load(path, options))? {
        Ok((engine, _)) => engine,
        // It is refused, as it should be.
        Err(CompileError::Rejected(_) | CompileError::Io(_)) => return Ok(()),
        Err(error @ (CompileError::Device(_) | CompileError::Tune(_))) => return Err(error.to_string()),
    };
    let mut interp = Interp::new(engine.prog().clone());
    interp.check_types(true);
    for entry in 0..engine.entries().len() {
        if can_be_made(engine.prog(), entry) {
            let mut both = Both { backend, engine: &mut engine, interp: &mut interp, entry, tell };
            both.compare(&mut Rng::new(seed), calls)?;
        }
    }
    Ok(())
}

struct Both<'a> {
    backend: Backend,
    engine: &'a mut Engine,
    interp: &'a mut Interp,
    entry: usize,
    tell: &'a mut dyn FnMut(&Step),
}

impl Both<'_> {
    fn compare(&mut self, rng: &mut Rng, calls: &mut Calls) -> Result<(), String> {
        let mut most = LARGEST;
        for scale in Scale::all() {
            if scale.size() > most {
                continue;
            }
            let Some(args) = arguments(self.engine.prog(), self.entry, scale, rng) else { continue };
            let start = Instant::now();
            let has_failed = self.compare_call(&args)?;
            if start.elapsed() > QUICK {
                most = (scale.size() / 2).max(SMALL);
            }
            calls.all += 1;
            calls.failed += usize::from(has_failed);
        }
        Ok(())
    }

    /// Calls both with these arguments. Says whether both failed.
    fn compare_call(&mut self, args: &[Value]) -> Result<bool, String> {
        let name = &self.engine.entries()[self.entry].name;
        let call = args.iter().fold(name.clone(), |call, arg| call + " " + &shortened(arg));
        let backend = self.backend.name();
        let differs = |why: String| Err(format!("{call}\n{why}"));
        (self.tell)(&Step::Interpreting(call.clone()));
        let expected = match caught(|| self.interp.call(self.entry, args.to_vec())) {
            Ok(Err(failure)) if is_exhausted(&failure.message) => return Ok(false),
            Ok(Err(failure)) if failure.message.contains("nest type violated") => {
                return differs(failure.message);
            }
            Ok(expected) => expected,
            Err(said) => return differs(format!("interp: panics: {said}")),
        };
        (self.tell)(&Step::Running(call.clone()));
        let found = match caught(|| self.engine.call_columns(self.entry, args.to_vec())) {
            Ok(Err(message)) if is_exhausted(&message) => return Ok(false),
            Ok(found) => found,
            Err(said) => return differs(format!("{backend}: panics: {said}")),
        };
        match (expected, found) {
            (Err(_), Err(_)) => Ok(true),
            (Ok(expected), Ok(found)) => {
                let different = difference(self.engine.prog(), self.entry, &expected, &found, backend);
                different.map_or(Ok(false), differs)
            }
            (Ok(_), Err(message)) => differs(format!("interp: has a result\n{backend}: {message}")),
            (Err(failure), Ok(_)) => differs(format!("interp: {}\n{backend}: has a result", failure.message)),
        }
    }
}

/// How much memory and stack there is depends on who runs the program.
fn is_exhausted(message: &str) -> bool {
    message.starts_with("Cannot allocate") || message.starts_with("The recursion is too deep")
}
