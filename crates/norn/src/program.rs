//! Norn inside another program: load a program, call its entry points.
//!
//! ```no_run
//! use norn::{Context, Program, Value};
//!
//! let context = Context::default();
//! let program = Program::load("dot.fut", &context)?;
//! let dot = program.entry("dot").ok_or("there is no `dot`")?;
//! let xs = Value::vector(vec![1.0f32; 1000]).into();
//! let sum = dot.call(&[&xs, &xs])?;
//! assert_eq!(sum.to_value()?.as_scalar(), Some(1000f32));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - A [`Context`] has devices, threads and limits. Nothing belongs to the process: several contexts know nothing of each other.
//! - A [`Program`] is compiled for a context, an [`Entry`] is one of its entry points. Both are cheap to clone and are used from any thread.
//!   Calls that are made at the same time run at the same time.
//! - A [`Handle`] is a value. A result stays where the program made it, on a GPU or here, and is passed to the next call as it is, to
//!   another program of the same context, too. [`Handle::to_value`] copies it to where it can be looked into. What nobody has a handle of is
//!   freed.
//! - What goes wrong is an error: errors of the program (`CompileError`), its failures, a time limit, a mistake of ours, which is a panic
//!   where norn is a command (`CallError`). No signal is handled here, and the process never ended.

#[cfg(feature = "ndarray")]
use crate::bindings::Texts;
#[cfg(feature = "ndarray")]
use crate::check_source;
use crate::engine::{
    Argument, Backend, CallError, CallOptions, Called, CompileError, Context, Engine, Handle, Item, Options,
    best_backend,
};
use crate::on_large_stack;
use norn_ir::nest;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// A compiled program. Cloned, it is the same one.
#[derive(Clone)]
pub struct Program(Arc<Inner>);

struct Inner {
    engine: Engine,
    warnings: String,
}

/// An entry point of a program. Cloned, it is the same one.
#[derive(Clone)]
pub struct Entry {
    program: Program,
    number: usize,
}

impl Program {
    /// Compiles the program whose main file is at `path`, unless that was done before.
    pub fn load(path: impl AsRef<Path>, options: impl Into<Options>) -> Result<Program, CompileError> {
        let (path, options) = (path.as_ref(), options.into());
        compiled(|| Engine::load(path, options))
    }

    /// Compiles the program with this text, which diagnostics call `name`; imports are relative to `name`.
    pub fn from_source(name: &str, text: &str, options: impl Into<Options>) -> Result<Program, CompileError> {
        let options = options.into();
        compiled(|| Engine::from_source(name, text, options))
    }

    /// Compiles the program with these files, each a name and a text, of which the first is the main one.
    #[cfg(feature = "ndarray")]
    pub fn from_files(files: &[(&str, &str)], options: impl Into<Options>) -> Result<Program, CompileError> {
        let options = options.into();
        let (name, text) = files.first().copied().unwrap_or_default();
        compiled(|| Engine::compile(check_source(name, text, &mut Texts(files)), options))
    }

    /// The program whose main file is at `path`, if it was compiled before.
    pub fn recall(path: impl AsRef<Path>, options: impl Into<Options>) -> Option<Program> {
        Engine::recall(path.as_ref(), options).map(Program::of)
    }

    /// A program that was compiled step by step, with its warnings.
    pub fn of((engine, warnings): (Engine, String)) -> Program {
        Program(Arc::new(Inner { engine, warnings }))
    }

    /// What can be asked about its types and values.
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// The diagnostics of the compiler, rendered.
    pub fn warnings(&self) -> &str {
        &self.0.warnings
    }

    pub fn entry(&self, name: &str) -> Option<Entry> {
        self.entries().find(|entry| entry.name() == name)
    }

    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.engine().entries().len()).map(|number| Entry { program: self.clone(), number })
    }

    /// The value where it can be looked into: a copy, if it stayed where the program made it. The error is a sentence.
    pub fn to_item(&self, handle: Handle) -> Result<Item, String> {
        guarded(|| self.engine().to_item(handle)).flatten()
    }
}

impl Entry {
    pub fn name(&self) -> &str {
        &self.head().name
    }

    /// Its parameters, its result and its attributes.
    pub fn head(&self) -> &nest::Entry {
        &self.program.engine().entries()[self.number]
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Calls it. What it yields stays where it is.
    pub fn call(&self, args: &[&Handle]) -> Result<Handle, CallError> {
        let args: Vec<Argument> = args.iter().map(|arg| Argument::from(*arg)).collect();
        self.call_with(&args, &CallOptions::default()).map(|called| called.value)
    }

    /// The same, in such a way that it can be ended.
    pub fn call_with(&self, args: &[Argument], options: &CallOptions) -> Result<Called, CallError> {
        guarded(|| self.program.engine().invoke(self.name(), args, options)).unwrap_or_else(bug)
    }

    /// The same for a result that can be looked into.
    pub fn call_for_item(&self, args: &[Argument], options: &CallOptions) -> Result<Called<Item>, CallError> {
        guarded(|| self.program.engine().invoke_item(self.name(), args, options)).unwrap_or_else(bug)
    }
}

fn bug<T>(message: String) -> Result<T, CallError> {
    Err(CallError::Bug(message))
}

fn compiled(
    compile: impl FnOnce() -> Result<(Engine, String), CompileError> + Send,
) -> Result<Program, CompileError> {
    let outcome = guarded(|| on_large_stack("norn", compile));
    outcome.unwrap_or_else(|message| Err(CompileError::Bug(message))).map(Program::of)
}

/// What `work` returns, or its message when it panicked. What it works on is not used afterwards, or has locks that do not care.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        format!("This is a bug in norn {}: {}", env!("CARGO_PKG_VERSION"), said(&*payload))
    })
}

fn said(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without words")
}

impl From<&Context> for Options {
    /// With the best backend that is there.
    fn from(context: &Context) -> Options {
        let best = best_backend(context);
        let backend = if best.cannot_compile.is_some() { Backend::Interp } else { best.backend };
        Options { context: context.clone(), reuse: true, ..Options::from(backend) }
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.engine().entries().iter().map(|entry| entry.name.as_str()).collect();
        f.debug_struct("Program").field("entries", &names).finish_non_exhaustive()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.name()).finish()
    }
}
