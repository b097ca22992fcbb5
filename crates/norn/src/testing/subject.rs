//! The program under test, which is checked, lowered and compiled when that is first needed, and never again.

use super::blocks::Literals;
use crate::engine::{CompileError, Engine, Options, Rejection};
use crate::pipeline::{compile_observed, mark_library};
use crate::stages::Stages;
use crate::{FileError, Outcome, Paint, check_file, render_all};
use norn_base::codes::NOT_SUPPORTED;
use norn_base::{Diagnostics, SourceMap};
use norn_ir::nest::Prog;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The program whose main file is at a path. It can be tested in several ways, for different backends.
///
/// Deeply nested programs need much stack: see [`with_large_stack`](crate::with_large_stack).
pub struct Subject {
    path: PathBuf,
    outcome: OnceCell<Result<Outcome, String>>,
    stages: OnceCell<Result<Stages, Refused>>,
    /// What the reference yields for an entry point and an input, by its name and where the input is written.
    references: RefCell<HashMap<(String, usize), Rc<Literals>>>,
}

/// Why there is no lowered program.
struct Refused {
    said: String,
    /// The program is right, and only uses what is not supported yet.
    is_unsupported: bool,
}

impl Subject {
    pub fn new(path: &Path) -> Subject {
        Subject {
            path: path.into(),
            outcome: OnceCell::new(),
            stages: OnceCell::new(),
            references: RefCell::default(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the checker makes of it. The error, which ends in a line break, explains why it cannot be read.
    pub fn outcome(&self) -> Result<&Outcome, &str> {
        let outcome = self.outcome.get_or_init(|| {
            check_file(&self.path).map_err(|error: FileError| CompileError::Io(error).render(Paint::Plain))
        });
        outcome.as_ref().map_err(String::as_str)
    }

    /// The diagnostics of the checker, if it could be read.
    pub fn rendered(&self) -> String {
        self.outcome().map(rendered).unwrap_or_default()
    }

    /// The program as it is after lowering. The error is what the user should see.
    pub fn prog(&self) -> Result<&Prog, &str> {
        self.stages().map(Stages::lowered)
    }

    /// What becomes of it after that. The error is what the user should see.
    pub fn stages(&self) -> Result<&Stages, &str> {
        self.lowered().as_ref().map_err(|refused| refused.said.as_str())
    }

    /// Whether there is no lowered program only because it uses what is not supported yet.
    pub fn is_unsupported(&self) -> bool {
        self.lowered().as_ref().is_err_and(|refused| refused.is_unsupported)
    }

    /// Lowers it, and passes on what it is after each pass on that way, with the name of the pass.
    pub fn lower_observed(&self, observe: &mut dyn FnMut(&str, &Prog)) -> Result<(), &str> {
        let lowered = self.lower(observe);
        let lowered = self.stages.get_or_init(|| lowered);
        lowered.as_ref().map(drop).map_err(|refused| refused.said.as_str())
    }

    fn lowered(&self) -> &Result<Stages, Refused> {
        self.stages.get_or_init(|| self.lower(&mut |_, _| {}))
    }

    fn lower(&self, observe: &mut dyn FnMut(&str, &Prog)) -> Result<Stages, Refused> {
        let wrong = |said: String| Refused { said, is_unsupported: false };
        let outcome = self.outcome().map_err(|said| wrong(said.into()))?;
        let accepted = outcome.checked.as_ref().filter(|_| !outcome.diagnostics.has_errors());
        let Some(checked) = accepted else { return Err(wrong(rendered(outcome))) };
        match compile_observed(&checked.program, observe) {
            Ok(mut prog) => {
                mark_library(&mut prog, &outcome.sources);
                Ok(Stages::new(prog))
            }
            Err(more) => {
                let is_unsupported = more.iter().all(|said| said.code == NOT_SUPPORTED);
                let mut diagnostics = Diagnostics::default();
                outcome.diagnostics.iter().for_each(|said| diagnostics.push(said.clone()));
                diagnostics.extend(more);
                diagnostics.sort();
                let rejection = Rejection { sources: copied(&outcome.sources), diagnostics };
                let said = CompileError::Rejected(Box::new(rejection)).render(Paint::Plain);
                Err(Refused { said, is_unsupported })
            }
        }
    }

    /// What the reference yields, if that was computed before.
    pub(super) fn reference(&self, entry: &str, input: usize) -> Option<Rc<Literals>> {
        self.references.borrow().get(&(entry.into(), input)).cloned()
    }

    /// Keeps what the reference yields for the other ways in which the program is tested.
    pub(super) fn keep_reference(&self, entry: &str, input: usize, values: &Rc<Literals>) {
        self.references.borrow_mut().insert((entry.into(), input), values.clone());
    }

    /// The program, ready to be called. The error is what the user should see.
    pub fn engine(&self, options: impl Into<Options>) -> Result<Engine, String> {
        let sources = copied(&self.outcome()?.sources);
        Engine::from_stages(self.stages()?, sources, options).map_err(|error| error.render(Paint::Plain))
    }
}

/// Sources with the same places; texts are shared.
fn copied(sources: &SourceMap) -> SourceMap {
    let mut copy = SourceMap::default();
    for file in sources.files() {
        copy.add(file.name.clone(), file.text.clone());
    }
    copy
}

fn rendered(outcome: &Outcome) -> String {
    render_all(&outcome.sources, &outcome.diagnostics, Paint::Plain)
}
