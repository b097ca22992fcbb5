//! Norn as a library: compile a program and call it ([`Program`]), or check it and read its diagnostics ([`check_file`]).
//!
//! The stages themselves do no I/O; this crate reads the files for them.
//!
//! ```no_run
//! let outcome = norn::check_file("examples/accelerate/nbody.fut")?;
//! print!("{}", norn::render_all(&outcome.sources, &outcome.diagnostics, norn::Paint::Plain));
//! # Ok::<(), norn::FileError>(())
//! ```

#![forbid(unsafe_code)]

pub mod bench;
#[cfg(feature = "ndarray")]
pub mod bindings;
mod child;
pub mod doc;
pub mod engine;
mod files;
pub mod library;
pub mod literate;
mod parsing;
pub mod phases;
pub mod pipeline;
pub mod pkg;
pub mod profile;
mod program;
pub mod stages;
pub mod testing;
pub mod timeline;
mod tools;
pub mod tune;

pub use child::ChildCommand;
pub use engine::{Argument, CallError, CallOptions, CompileError, Context, ContextOptions, Handle};
pub use files::{FileError, FsLoader, load_reason, load_source};
pub use norn_base::render::{Paint, render_all};
pub use norn_check::Options as CheckOptions;
pub use norn_values::{TOLERANCE, Value, compare_all};
pub use parsing::{ParsedFile, Syntax, parse_bytes, parse_file};
pub use program::{Entry, Program};

use norn_base::{Diagnostics, SourceMap};
use norn_check::{Checked, Loader, check};
use std::cell::Cell;
use std::path::Path;

/// What came of a program.
pub struct Outcome {
    pub sources: SourceMap,
    /// In the order of their places.
    pub diagnostics: Diagnostics,
    /// None if the main file is no text.
    pub checked: Option<Checked>,
}

/// Check the program whose main file is at `path`, and whatever it imports. Errors of the program
/// are diagnostics of the outcome; that the main file cannot be read is an error.
///
/// Deeply nested programs need much stack: see [`with_large_stack`].
pub fn check_file(path: impl AsRef<Path>) -> Result<Outcome, FileError> {
    check_file_with(path, CheckOptions::default())
}

/// As [`check_file`], with options.
pub fn check_file_with(path: impl AsRef<Path>, options: CheckOptions) -> Result<Outcome, FileError> {
    let mut sources = SourceMap::default();
    let (root, text) = load_source(&mut sources, path.as_ref())?;
    let mut outcome = Outcome { sources, diagnostics: Diagnostics::default(), checked: None };
    match text {
        Err(not_utf8) => outcome.diagnostics.push(not_utf8),
        Ok(()) => {
            let root_path = outcome.sources.file(root).name.clone();
            let mut checked = check(&mut outcome.sources, root, &root_path, &mut FsLoader, options);
            outcome.diagnostics = std::mem::take(&mut checked.diagnostics);
            outcome.checked = Some(checked);
        }
    }
    outcome.diagnostics.sort();
    Ok(outcome)
}

/// Check the program with this text, which diagnostics call `name`. Its imports are relative to `name`
/// and come from `loader`.
pub fn check_source(name: &str, text: &str, loader: &mut dyn Loader) -> Outcome {
    check_source_with(name, text, loader, CheckOptions::default())
}

/// As [`check_source`], with options.
pub fn check_source_with(name: &str, text: &str, loader: &mut dyn Loader, options: CheckOptions) -> Outcome {
    let mut sources = SourceMap::default();
    let root = sources.add(name, text);
    let mut checked = check(&mut sources, root, name, loader, options);
    let mut diagnostics = std::mem::take(&mut checked.diagnostics);
    diagnostics.sort();
    Outcome { sources, diagnostics, checked: Some(checked) }
}

/// Runs `work` on a thread with room for deep recursion, and returns what it returns. A panic in it
/// is passed on. `name` is that of the thread, which the system shows if even this stack overflows.
///
/// The compiler recurses over the program's nesting, which the parser bounds; the stack is
/// reserved for that bound. Reserved memory is only used when touched. Where the system refuses
/// so much, smaller stacks are tried.
pub fn with_large_stack<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> T {
    const MEBIBYTE: usize = 1 << 20;
    let work = std::sync::Mutex::new(Some(work));
    let take_and_run = || {
        let work = work.lock().unwrap_or_else(|e| e.into_inner()).take();
        work.expect("with_large_stack: runs once")()
    };
    let noted = || {
        HAS_LARGE_STACK.set(true);
        take_and_run()
    };
    std::thread::scope(|scope| {
        for size in [1024, 256, 64] {
            let builder = std::thread::Builder::new().name(name.into()).stack_size(size * MEBIBYTE);
            if let Ok(thread) = builder.spawn_scoped(scope, noted) {
                return thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload));
            }
        }
        take_and_run()
    })
}

/// As [`with_large_stack`], on this thread if it is one that was made for that.
pub fn on_large_stack<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> T {
    if HAS_LARGE_STACK.get() { work() } else { with_large_stack(name, work) }
}

thread_local! {
    static HAS_LARGE_STACK: Cell<bool> = const { Cell::new(false) };
}

/// The programs in the manual's page are compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
struct RustPage;
