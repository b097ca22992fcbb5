//! `norn bench`: how long programs take on the inputs of their test blocks.
//!
//! [`bench_program`] reads the blocks of a program, compiles it, and for each entry point and input runs it
//! until its time is known ([`measure`]). The first result is compared with what the block expects: the
//! speed of a wrong answer is worth nothing. [`Event`]s report the progress; [`run_isolated`] lets this happen in a process of its own. Programs are measured one after
//! the other, since two at the same time would measure each other.
//!
//! Times are those of the run alone: arguments are there, and results stay where they are.
//!
//! What came of it are [`Results`], which can be written to a file and compared with those of another day
//! ([`compare`](mod@compare)).

pub mod compare;
mod event;
mod isolate;
pub mod measure;
mod memory;
pub mod results;
mod run;
pub mod show;
pub mod stats;

pub use event::Event;
pub use isolate::run_isolated;
pub use measure::Plan;
pub use results::{DataSet, Measured, Results};
pub use run::bench_program;

use crate::engine::{Backend, Context};
use crate::tune::TuneFile;
use std::sync::Arc;

/// What is measured, and for how long.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchOptions {
    pub backend: Backend,
    /// On what programs run.
    pub context: Context,
    /// Whether a program is refused of which a GPU leaves something to the processor.
    pub strict_device: bool,
    /// Numbers by which programs for GPUs are made.
    pub tune: Option<Arc<TuneFile>>,
    /// Only inputs of this entry point.
    pub entry: Option<String>,
    /// Programs and inputs with one of these tags are left out, besides those that always are.
    pub exclude: Vec<String>,
    /// How far floats may be from what is expected.
    pub tolerance: f64,
    /// Whether arguments are in the host's memory before each run, and results afterwards, and copying them counts.
    pub with_copies: bool,
    pub plan: Plan,
    /// Whether each input is run once more, to tell where the time goes.
    pub profile: bool,
}

impl BenchOptions {
    /// Whether one of these tags says that something is not to be measured.
    fn excludes(&self, tags: &[String]) -> bool {
        tags.iter().any(|tag| match tag.as_str() {
            "disable" | "nobench" => true,
            tag => {
                tag.strip_prefix("no_").is_some_and(|name| name == self.backend.name())
                    || self.exclude.iter().any(|excluded| excluded == tag)
            }
        })
    }
}
