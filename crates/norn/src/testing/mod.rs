//! `norn test`: runs programs and compares their results with their test blocks.
//!
//! The order of work on one program, [`run_program`]: its blocks are read ([`blocks`]), it is compiled,
//! its warnings and structure are compared, every entry point is called with every input (values in
//! the block, in files ([`mod@data`]), made up ([`mod@random`]) or computed ([`script`])), and properties
//! are tried ([`property`]). [`Event`]s report the progress. A [`Subject`] is tested in several ways
//! ([`run_subject`]) and compiled once.
//!
//! [`run_suite`] does this for many programs, each in a process of its own (`isolate`): one that
//! crashes or does not end is a failed test and nothing more.
//!
//! What a regular expression behind `error:` or `warning:` is compared with is our own message, as it is
//! rendered. Programs that were written for another compiler may ask for its words:
//! [`TestOptions::match_messages`] turns the comparison off.

pub mod blocks;
pub(crate) mod case;
mod collect;
pub mod data;
mod difference;
mod event;
pub(crate) mod input;
mod isolate;
pub mod property;
pub mod random;
mod run;
pub mod script;
pub mod structure;
mod subject;
mod suite;
mod traffic;

pub use collect::collect_programs;
pub use event::{Event, Verdict};
pub use isolate::{Ended, ProgramReport};
pub use run::{run_program, run_subject};
pub use subject::Subject;
pub use suite::run_suite;

pub use crate::child::ChildCommand;
use crate::engine::{Backend, Context};
use crate::tune::TuneFile;
use property::PropertyOptions;
use std::sync::Arc;

/// What is tested, and how strictly.
#[derive(Clone, PartialEq, Debug)]
pub struct TestOptions {
    pub backend: Backend,
    /// On what programs run.
    pub context: Context,
    /// Whether the C compiler takes less time and programs more.
    pub quick: bool,
    /// Whether a program is refused of which a GPU leaves something to the processor.
    pub strict_device: bool,
    /// Numbers by which programs for GPUs are made, instead of those that their blocks name. What a run asks of a GPU is not compared then.
    pub tune: Option<Arc<TuneFile>>,
    /// Whether programs are improved before they are interpreted.
    pub improve: bool,
    /// Programs and inputs with one of these tags are left out, besides those that always are.
    pub exclude: Vec<String>,
    /// Only inputs of this entry point.
    pub entry: Option<String>,
    /// Nothing is run: programs only have to be accepted, or rejected where they should be.
    pub check_only: bool,
    /// Inputs tagged `compiled`, which are slow to interpret, are interpreted all the same.
    pub slow: bool,
    /// Whether the messages of expected errors and warnings must match.
    pub match_messages: bool,
    pub structure: bool,
    /// Whether the values that the program shows are reported, too.
    pub observe: bool,
    /// Which calls are made twice, and must yield the same bits.
    pub twice: Twice,
    /// How far floats may be apart.
    pub tolerance: f64,
    pub property: PropertyOptions,
}

/// Which calls are made twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Twice {
    None,
    /// One for each entry point in a block, with the input in the middle: often the first and the last are small.
    One,
    All,
}

impl Default for TestOptions {
    fn default() -> TestOptions {
        TestOptions {
            backend: Backend::Interp,
            context: Context::default(),
            quick: false,
            strict_device: false,
            tune: None,
            improve: false,
            exclude: Vec::new(),
            entry: None,
            check_only: false,
            slow: false,
            match_messages: true,
            structure: true,
            observe: false,
            twice: Twice::None,
            tolerance: norn_values::TOLERANCE,
            property: PropertyOptions::default(),
        }
    }
}

impl TestOptions {
    /// The tag because of which something is left out.
    fn excluding_tag<'a>(&self, tags: &'a [String]) -> Option<&'a str> {
        let excludes = |tag: &str| match tag {
            "disable" | "notest" => true,
            "compiled" => self.is_interpreted() && !self.slow,
            _ => {
                let of_backend = tag.strip_prefix("no_").is_some_and(|name| name == self.backend.name());
                of_backend || self.exclude.iter().any(|excluded| excluded == tag)
            }
        };
        tags.iter().map(String::as_str).find(|tag| excludes(tag))
    }

    fn is_interpreted(&self) -> bool {
        match self.backend {
            Backend::Interp => true,
            Backend::Cpu | Backend::OpenCl | Backend::Cuda => false,
        }
    }
}
