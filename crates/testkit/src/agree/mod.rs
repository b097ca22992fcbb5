//! Compiled code yields what the interpreter yields, whatever comes in.
//!
//! A program is compiled once; each of its entry points whose arguments can be made up (`inputs`) is called on both
//! with the same arguments, first small ones, then larger ones as long as the interpreter is quick. What comes out
//! is compared by its type (`compare`), as far as the language fixes it (`fixed`). Both failing is as good; of several failures any may be reported. Where one
//! has no more memory or stack nothing can be said, nor of a program without its checks (`#[unsafe]`).

mod compare;
pub mod inputs;
mod watch;

use crate::fixed::Fixed;
use crate::fuzzing::{gpu, is_about_gpu};
use crate::nestfuzz::panics::caught;
use crate::rng::Rng;
use compare::{difference, shortened};
use inputs::{LARGEST, Scale, arguments, can_be_made};
use norn::engine::{Backend, CompileError, Context, ContextOptions, Engine, Options};
use norn_interp::{Failure, Interp, Value};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use watch::Watch;

/// Larger arguments are not tried if a call takes longer.
const QUICK: Duration = Duration::from_millis(200);
/// The interpreter is stopped after this time: nothing can be said about the call.
const PATIENCE: Duration = Duration::from_secs(2);
/// After this time no other call is made, for each backend.
const ENOUGH: Duration = Duration::from_secs(20);
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
    static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
        Context::new(ContextOptions { memory_limit: Some(MEMORY), ..ContextOptions::default() })
    });
    let options = Options { context: CONTEXT.clone(), ..Options::from(backend) };
    let engine = match caught(|| Engine::load(path, options))? {
        Ok((engine, _)) => engine,
        // It is refused, as it should be.
        Err(CompileError::Rejected(_) | CompileError::Io(_)) => return Ok(()),
        Err(error @ (CompileError::Device(_) | CompileError::Tune(_) | CompileError::Bug(_))) => {
            return Err(error.to_string());
        }
    };
    let mut interp = Interp::new(engine.prog().clone());
    interp.check_types(true);
    let watch = Watch::new(interp.cancel_flag().clone());
    let end = Instant::now() + ENOUGH;
    for entry in 0..engine.entries().len() {
        if can_be_made(engine.prog(), entry) {
            let (engine, interp, watch) = (&engine, &mut interp, &watch);
            let mut both = Both { backend, engine, interp, watch, end, entry, tell };
            both.compare(&mut Rng::new(seed), calls)?;
        }
    }
    Ok(())
}

struct Both<'a> {
    backend: Backend,
    engine: &'a Engine,
    interp: &'a mut Interp,
    watch: &'a Watch,
    end: Instant,
    entry: usize,
    tell: &'a mut dyn FnMut(&Step),
}

impl Both<'_> {
    fn compare(&mut self, rng: &mut Rng, calls: &mut Calls) -> Result<(), String> {
        let mut most = LARGEST;
        for scale in Scale::all() {
            if scale.size() > most || Instant::now() > self.end {
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

    /// Calls both with these arguments. Returns whether both failed.
    fn compare_call(&mut self, args: &[Value]) -> Result<bool, String> {
        let name = &self.engine.entries()[self.entry].name;
        let call = args.iter().fold(name.clone(), |call, arg| call + " " + &shortened(arg));
        let backend = self.backend.name();
        let differs = |why: String| Err(format!("{call}\n{why}"));
        (self.tell)(&Step::Interpreting(call.clone()));
        self.watch.begin(PATIENCE);
        let expected = caught(|| self.interp.call(self.entry, args.to_vec()));
        if self.watch.has_stopped() {
            return Ok(false);
        }
        let expected = match expected {
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
            Ok(Err(message)) if message.contains("CUDA_ERROR") => {
                return differs(format!("{backend}: {message}"));
            }
            Ok(found) => found,
            Err(said) => return differs(format!("{backend}: panics: {said}")),
        };
        let has_failed = expected.is_err() && found.is_err();
        if self.disagreement(&expected, &found).is_none() {
            return Ok(has_failed);
        }
        (self.tell)(&Step::Interpreting(call.clone()));
        let fixed = Fixed::of(self.engine.prog(), self.entry, args, expected.as_deref().ok());
        let found = match (&expected, found) {
            (Ok(expected), Ok(found)) => fixed.settle(expected, &found).map(Ok),
            (_, found) if fixed != Fixed::Nothing => Some(found),
            (_, _) => None,
        };
        found.and_then(|found| self.disagreement(&expected, &found)).map_or(Ok(has_failed), differs)
    }

    /// Where the interpreter and compiled code differ, in words.
    fn disagreement(
        &self,
        expected: &Result<Vec<Value>, Failure>,
        found: &Result<Vec<Value>, String>,
    ) -> Option<String> {
        let backend = self.backend.name();
        match (expected, found) {
            (Err(_), Err(_)) => None,
            (Ok(expected), Ok(found)) => difference(self.engine.prog(), self.entry, expected, found, backend),
            (Ok(_), Err(message)) => Some(format!("interp: has a result\n{backend}: {message}")),
            (Err(failure), Ok(_)) => Some(format!("interp: {}\n{backend}: has a result", failure.message)),
        }
    }
}

/// How much memory and stack there is depends on who runs the program.
fn is_exhausted(message: &str) -> bool {
    message.starts_with("Cannot allocate") || message.starts_with("The recursion is too deep")
}
