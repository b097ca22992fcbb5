//! The engine: a compiled program that can be called.
//!
//! A program goes in as a file or as text; its entry points are then called with [`Item`]s. What an
//! item is made of can be asked and taken apart without the program's help, by the rules of
//! `norn_ir::nest::iface`: records in `record`, sums in `sum`, arrays in `array`, types in `types`,
//! bytes in `binary`, text in `show` and `read`.
//!
//! ```no_run
//! use norn::engine::{Backend, Engine, Item};
//! let (engine, _warnings) = Engine::load("add.fut".as_ref(), Backend::Interp)?;
//! let one = Item::Value(norn::Value::scalar(1i32));
//! let sum = engine.call("main", &[one.clone(), one])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod assemble;
mod backend;
mod binary;
mod call;
mod choose;
mod columns;
mod compare;
mod context;
mod crossing;
mod error;
mod failure;
mod image;
mod item;
mod kept;
mod make;
mod observe;
mod read;
mod record;
mod runner;
mod show;
mod sum;
mod timer;
mod types;
mod words;

pub use backend::{BACKENDS, Backend, Choice, Options, UnknownBackend};
pub use call::{CallOptions, Called};
pub use choose::{Best, best_backend};
pub use compare::compare_items;
pub use context::{Context, ContextOptions};
pub use error::{CallError, CompileError, Rejection, RunError, render_device_error};
pub use failure::render_failure;
pub use item::{Item, ItemType, Opaque};
pub use kept::{Argument, Given, Handle, Kept};
pub use norn_exec::Held;
pub use norn_ir::nest::ObserveKind;
pub use observe::Shown;
pub use show::{SHOWN_ELEMENTS, show, write_text};
pub use types::Kind;

use crate::stages::Stages;
use crate::{FsLoader, Outcome, Paint, check_file, check_source, render_all};
use make::{Refusal, make_runner};
use norn_base::{Diagnostics, SourceMap};
use norn_exec::Exec;
use norn_ir::nest::{Entry, Iface, IfaceId, Prog};
pub use norn_runtime::gpu::{Api, SharedQueue, Traffic, Which};
pub use norn_runtime::{Cancelled, Canceller};
use runner::Runner;
use std::path::Path;

/// A compiled program. Its entry points may be called from several threads at the same time.
pub struct Engine {
    backend: Backend,
    runner: Runner,
    sources: SourceMap,
    paint: Paint,
    /// Where it runs.
    context: Context,
}

impl Engine {
    /// Compiles the program whose main file is at `path`. Beside it come its warnings, rendered.
    pub fn load(path: &Path, options: impl Into<Options>) -> Result<(Engine, String), CompileError> {
        let options = options.into();
        // Where the parts of a program run is known while it is compiled.
        let is_alone = options.context.options().others.is_empty();
        let reuse = options.reuse && options.backend != Backend::Interp && !options.strict_device && is_alone;
        if reuse && let Some(known) = image::recall(path, &options) {
            return Ok(known);
        }
        let outcome = check_file(path).map_err(CompileError::Io)?;
        if !reuse {
            return Engine::compile(outcome, options);
        }
        let [plain, painted] = [Paint::Plain, Paint::Ansi]
            .map(|paint| render_all(&outcome.sources, &outcome.diagnostics, paint));
        let (engine, warnings) = Engine::compile(outcome, options.clone())?;
        // What shows values has to be compiled as it is asked for.
        if engine.prog().observes() {
            return Ok((engine, warnings));
        }
        image::keep(path, &options, &engine, &plain, &painted);
        Ok((engine, warnings))
    }

    /// The program whose main file is at `path`, if it was compiled before. Beside it come its warnings, rendered.
    pub fn recall(path: &Path, options: impl Into<Options>) -> Option<(Engine, String)> {
        image::recall(path, &options.into())
    }

    /// Compiles the program with this text, which diagnostics call `name`; imports are relative to
    /// `name`.
    pub fn from_source(
        name: &str,
        text: &str,
        options: impl Into<Options>,
    ) -> Result<(Engine, String), CompileError> {
        Engine::compile(check_source(name, text, &mut FsLoader), options.into())
    }

    /// Compiles a program that has been checked.
    pub fn compile(outcome: Outcome, options: impl Into<Options>) -> Result<(Engine, String), CompileError> {
        let options = options.into();
        let (paint, context) = (options.paint, options.context.clone());
        let Outcome { sources, diagnostics, checked } = outcome;
        let reject =
            |sources, diagnostics| Err(CompileError::Rejected(Box::new(Rejection { sources, diagnostics })));
        let Some(checked) = checked.filter(|_| !diagnostics.has_errors()) else {
            return reject(sources, diagnostics);
        };
        let mut compiled = crate::pipeline::compile(&checked.program);
        if let Ok(prog) = &mut compiled {
            crate::pipeline::mark_library(prog, &sources);
        }
        let runner = compiled.map_err(Refusal::Diagnostics).and_then(|prog| make_runner(prog, None, options));
        match runner {
            Ok((backend, runner)) => {
                let warnings = render_all(&sources, &diagnostics, paint);
                Ok((Engine { backend, runner, sources, paint, context }, warnings))
            }
            Err(Refusal::Diagnostics(more)) => {
                let mut all = Diagnostics::default();
                all.extend(diagnostics);
                all.extend(more);
                all.sort();
                reject(sources, all)
            }
            Err(Refusal::Device(error)) => Err(CompileError::Device(error)),
            Err(Refusal::Tune(error)) => Err(CompileError::Tune(error)),
        }
    }

    /// A program in nest, which has no source.
    pub fn from_nest(prog: Prog, options: impl Into<Options>) -> Result<Engine, CompileError> {
        Engine::from_lowered(prog, SourceMap::default(), options)
    }

    /// A program that has been checked and lowered, with its sources.
    pub fn from_lowered(
        prog: Prog,
        sources: SourceMap,
        options: impl Into<Options>,
    ) -> Result<Engine, CompileError> {
        let options = options.into();
        let (paint, context) = (options.paint, options.context.clone());
        Engine::with_runner(make_runner(prog, None, options), sources, paint, context)
    }

    /// The same, with the stages of the program that other engines may have made before.
    pub fn from_stages(
        stages: &Stages,
        sources: SourceMap,
        options: impl Into<Options>,
    ) -> Result<Engine, CompileError> {
        let options = options.into();
        let (paint, context) = (options.paint, options.context.clone());
        let runner = make_runner(stages.lowered().clone(), Some(stages), options);
        Engine::with_runner(runner, sources, paint, context)
    }

    fn with_runner(
        runner: Result<(Backend, Runner), Refusal>,
        sources: SourceMap,
        paint: Paint,
        context: Context,
    ) -> Result<Engine, CompileError> {
        match runner {
            Ok((backend, runner)) => Ok(Engine { backend, runner, sources, paint, context }),
            Err(Refusal::Diagnostics(diagnostics)) => {
                Err(CompileError::Rejected(Box::new(Rejection { sources, diagnostics })))
            }
            Err(Refusal::Device(error)) => Err(CompileError::Device(error)),
            Err(Refusal::Tune(error)) => Err(CompileError::Tune(error)),
        }
    }

    pub fn prog(&self) -> &Prog {
        self.runner.prog()
    }

    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// What it runs on.
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    pub fn entries(&self) -> &[Entry] {
        &self.prog().entries
    }

    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.name == name)
    }

    /// The type with this id, which must be of this program.
    pub fn iface(&self, id: IfaceId) -> &Iface {
        &self.prog().ifaces[id.0 as usize]
    }

    pub fn iface_by_name(&self, name: &str) -> Option<IfaceId> {
        let at = self.prog().ifaces.iter().position(|iface| iface.name == name)?;
        Some(IfaceId(at as u32))
    }

    /// How many bytes of memory the program and its values may take.
    pub fn memory_limit(&self) -> usize {
        let limit = match &self.runner {
            Runner::Interp { memory_limit, .. } => *memory_limit,
            Runner::Compiled { exec, .. } => exec.cpu().memory().limit(),
        };
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    /// What runs the program on a device, if it does.
    pub fn exec(&self) -> Option<&Exec> {
        match &self.runner {
            Runner::Interp { .. } => None,
            Runner::Compiled { exec, .. } => Some(exec),
        }
    }
}
