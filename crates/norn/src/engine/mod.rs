//! The engine: a compiled program that can be called.
//!
//! A program goes in as a file or as text; its entry points are then called with [`Item`]s. What an
//! item is made of can be asked and taken apart without the program's help, by the rules of
//! `norn_ir::nest::iface`: records in `record`, sums in `sum`, arrays in `array`, types in `types`,
//! bytes in `store`, text in `show`.
//!
//! ```no_run
//! use norn::engine::{Backend, Engine, Item};
//! let (mut engine, _warnings) = Engine::load("add.fut".as_ref(), Backend::Interp)?;
//! let one = Item::Value(norn::Value::scalar(1i32));
//! let sum = engine.call("main", vec![one.clone(), one])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod backend;
mod columns;
mod error;
mod failure;
mod item;
mod record;
mod show;
mod store;
mod sum;
mod types;

pub use backend::{BACKENDS, Backend, BackendError, Options};
pub use error::{CallError, CompileError, Rejection, RunError};
pub use failure::render_failure;
pub use item::{Item, ItemType, Opaque};
pub use show::{SHOWN_ELEMENTS, show};
pub use types::Kind;

use crate::{FsLoader, Outcome, Paint, check_file, check_source, render_all};
use error::counted;
use norn_base::{Diagnostics, SourceMap};
use norn_interp::Interp;
use norn_ir::nest::{Entry, Iface, IfaceId, Prog};
use std::path::Path;

/// A compiled program.
pub struct Engine {
    interp: Interp,
    sources: SourceMap,
    paint: Paint,
}

impl Engine {
    /// Compiles the program whose main file is at `path`. Beside it come its warnings, rendered.
    pub fn load(path: &Path, options: impl Into<Options>) -> Result<(Engine, String), CompileError> {
        let outcome = check_file(path).map_err(CompileError::Io)?;
        Engine::compile(outcome, options.into())
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
        let Options { backend, paint, improve } = options.into();
        let Outcome { sources, diagnostics, checked } = outcome;
        let reject =
            |sources, diagnostics| Err(CompileError::Rejected(Box::new(Rejection { sources, diagnostics })));
        let Some(checked) = checked.filter(|_| !diagnostics.has_errors()) else {
            return reject(sources, diagnostics);
        };
        match crate::pipeline::compile(&checked.program) {
            Ok(mut prog) => {
                if improve {
                    norn_passes::pipeline::optimise_nest(&mut prog);
                }
                let warnings = render_all(&sources, &diagnostics, paint);
                let interp = match backend {
                    Backend::Interp => Interp::new(prog),
                };
                Ok((Engine { interp, sources, paint }, warnings))
            }
            Err(more) => {
                let mut all = Diagnostics::default();
                all.extend(diagnostics);
                all.extend(more);
                all.sort();
                reject(sources, all)
            }
        }
    }

    pub fn prog(&self) -> &Prog {
        self.interp.prog()
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

    /// Calls an entry point.
    pub fn call(&mut self, entry: &str, args: Vec<Item>) -> Result<Item, RunError> {
        self.try_call(entry, &args).map_err(|error| match error {
            CallError::Arguments(message) => {
                let rendered = format!("error: {message}\n");
                RunError { message, rendered }
            }
            CallError::Failed(failure) => {
                let rendered = render_failure(&self.sources, &failure, self.paint);
                RunError { message: failure.message, rendered }
            }
        })
    }

    /// As `call`, with a failure that is not rendered yet.
    pub fn try_call(&mut self, entry: &str, args: &[Item]) -> Result<Item, CallError> {
        let (number, result, columns) = self.argument_columns(entry, args).map_err(CallError::Arguments)?;
        let mut results = self.interp.call(number, columns).map_err(|mut failure| {
            // That the entry point itself was called is no news.
            failure.trace.pop_if(|frame| frame.function == entry);
            CallError::Failed(failure)
        })?;
        // Sizes and the like come in front.
        let surplus = results.len().saturating_sub(self.iface(result).columns.len());
        Ok(self.item(result, results.split_off(surplus)))
    }

    /// The entry point's number and result, and the columns of the arguments, if they fit.
    fn argument_columns(
        &self,
        name: &str,
        args: &[Item],
    ) -> Result<(usize, IfaceId, Vec<columns::Column>), String> {
        let Some(number) = self.entries().iter().position(|entry| entry.name == name) else {
            return Err(format!("There is no entry point `{name}`."));
        };
        let entry = &self.entries()[number];
        if args.len() != entry.params.len() {
            let wanted = counted(entry.params.len(), "argument");
            return Err(format!("The entry point `{name}` takes {wanted}, but got {}.", args.len()));
        }
        let mut columns = Vec::new();
        for (param, arg) in entry.params.iter().zip(args) {
            let of_arg = self.columns(param.ty, arg).map_err(|wrong| {
                format!(
                    "The argument `{}` of the entry point `{name}` must be of type {}, but is of type {}.",
                    param.name,
                    self.type_name(wrong.expected),
                    self.type_name(wrong.found)
                )
            })?;
            columns.extend(of_arg);
        }
        Ok((number, entry.result, columns))
    }
}
