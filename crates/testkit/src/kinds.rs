//! The kinds of tests that every program goes through. A program is checked and lowered once for all of them.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::cuda::{check_cuda, has_nvrtc};
use crate::layout::check_layout_of;
use crate::nest::check_nest_of;
use crate::program::verify;
use crate::run::{
    check_blocks, check_compiled, check_cut, check_improved, check_opencl, check_shared, check_versions,
    has_compiler, has_opencl, has_two_devices,
};
use crate::turns::{Task, has_turn};
use norn::testing::Subject;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is tested of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It has no errors, and its typed tree keeps the rules.
    Accepted,
    /// Formatting changes layout only.
    Layout,
    /// It keeps the rules of nest after every pass, and the text of nest reads back.
    Nest,
    /// Its test blocks hold.
    Run,
    /// They hold after the passes that improve it.
    Improved,
    /// They hold for the program compiled for the CPU.
    Compiled,
    /// NVRTC compiles its kernels.
    Cuda,
    /// Its test blocks hold with OpenCL, where two runs yield the same bits.
    OpenCl,
    /// They hold with OpenCL whichever versions of its nests run.
    Versions,
    /// They hold with OpenCL when what devices can share is done in parts.
    Cut,
    /// They hold when two devices share the work, of which one may be the processor.
    Shared,
}

/// In the order in which they are tried.
pub const KINDS: [Kind; 11] = [
    Kind::Accepted,
    Kind::Layout,
    Kind::Nest,
    Kind::Run,
    Kind::Improved,
    Kind::Compiled,
    Kind::Cuda,
    Kind::OpenCl,
    Kind::Versions,
    Kind::Cut,
    Kind::Shared,
];

impl Kind {
    /// As it is named on the command line, in brackets.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Accepted => "accepted",
            Kind::Layout => "layout",
            Kind::Nest => "nest",
            Kind::Run => "run",
            Kind::Improved => "improved",
            Kind::Compiled => "compiled",
            Kind::Cuda => "cuda",
            Kind::OpenCl => "opencl",
            Kind::Versions => "versions",
            Kind::Cut => "cut",
            Kind::Shared => "shared",
        }
    }

    /// Why this kind of tests cannot be done on this machine, if it cannot.
    pub fn obstacle(self) -> Option<String> {
        match self {
            Kind::Accepted | Kind::Layout | Kind::Nest | Kind::Run | Kind::Improved => None,
            Kind::Compiled => (!has_compiler()).then(|| "nothing is compiled: there is no C compiler".into()),
            Kind::Cuda => has_nvrtc().err().map(|why| format!("no kernel is compiled for CUDA: {why}")),
            Kind::Shared => {
                has_two_devices().err().map(|why| format!("nothing is tested with two devices: {why}"))
            }
            Kind::OpenCl | Kind::Versions | Kind::Cut => {
                has_opencl().err().map(|why| format!("nothing is tested with OpenCL: {why}"))
            }
        }
    }

    /// Whether a program is tested in this way in a run that does not test everything: with OpenCL, those are that once broke, and benchmarks; otherwise each has its
    /// turn (`turns`).
    pub fn is_due(self, file: &RepoFile) -> bool {
        let always = ["tests/regress/", "bench/programs/"];
        match self {
            Kind::OpenCl => {
                always.iter().any(|folder| file.name.starts_with(folder)) || has_turn(file, Task::OpenCl)
            }
            Kind::Versions => has_turn(file, Task::Versions),
            Kind::Cut => has_turn(file, Task::Cut),
            Kind::Shared => has_turn(file, Task::Shared),
            Kind::Accepted
            | Kind::Layout
            | Kind::Nest
            | Kind::Run
            | Kind::Improved
            | Kind::Compiled
            | Kind::Cuda => true,
        }
    }

    fn check(self, file: &RepoFile, subject: &Subject) -> Verdict {
        match self {
            Kind::Accepted => accepted(subject),
            Kind::Layout => check_layout_of(subject),
            Kind::Nest => check_nest_of(subject),
            Kind::Run => check_blocks(file, subject),
            Kind::Improved => check_improved(file, subject),
            Kind::Compiled => check_compiled(file, subject),
            Kind::Cuda => check_cuda(file, subject),
            Kind::OpenCl => check_opencl(file, subject),
            Kind::Versions => check_versions(file, subject),
            Kind::Cut => check_cut(file, subject),
            Kind::Shared => check_shared(file, subject),
        }
    }
}

/// Tests a program in these ways. What is wrong is reported for each.
pub fn check_kinds(file: &RepoFile, kinds: &[Kind]) -> Verdict {
    let subject = Subject::new(&file.path);
    let mut failed = String::new();
    for kind in kinds {
        // One that crashes does not keep the others from being tried.
        let verdict = catch_unwind(AssertUnwindSafe(|| kind.check(file, &subject)));
        let verdict = verdict.unwrap_or_else(|payload| {
            let said = payload.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
            Err(format!("It panicked: {}\n", said.unwrap_or_default()))
        });
        if let Err(why) = verdict {
            let _ = writeln!(failed, "[{}]\n{why}", kind.name());
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed) }
}

fn accepted(subject: &Subject) -> Verdict {
    let outcome = subject.outcome()?;
    match &outcome.checked {
        Some(checked) if !outcome.diagnostics.has_errors() => verify(&outcome.sources, &checked.program),
        Some(_) | None => Err(subject.rendered()),
    }
}
