//! Names, modules, types, sizes and uniqueness: surface tree to typed tree.
//!
//! This is the last stage that reports errors in the user's program. It does no I/O: imported
//! files come through a `Loader`.
//!
//! A definition goes through these passes: `infer` resolves names and infers types without sizes;
//! `sizes` finds the sizes and builds the typed tree; `consume` checks uniqueness. `modules` reads
//! declarations and drives the passes.

#![forbid(unsafe_code)]

mod consume;
pub mod coverage;
mod cx;
mod env;
mod infer;
mod intrinsics;
mod modules;
pub mod places;
pub mod print;
pub mod print_typed;
mod scope;
mod sizes;
pub mod subst;
pub mod typed;
pub mod types;
pub mod verify;
pub mod walk;

pub use modules::{
    Analysis, Rest, SHIPPED_FILES, Session, imports_of, library_names, resolve as import_path, shipped_file,
};

use norn_base::{Code, Diagnostics, FileId, SourceMap};
use std::collections::BTreeSet;

/// Why a file could not be had.
#[derive(Debug, Clone)]
pub enum LoadError {
    NotFound,
    IsDirectory,
    /// It is a pipe, a device or the like, which need not have an end.
    NotAFile,
    /// It has more than so many bytes.
    TooLarge {
        limit: u64,
    },
    NotUtf8 {
        valid_up_to: usize,
    },
    Other(String),
}

/// Where imported files come from.
pub trait Loader {
    /// The text of the file at `path`: a path as given to `check`, or one made from it by
    /// following imports, with the extension `.fut`, `/` between parts, and `.` and `..` resolved.
    fn load(&mut self, path: &str) -> Result<String, LoadError>;
}

/// The outcome of checking a program.
pub struct Checked {
    pub diagnostics: Diagnostics,
    /// Definitions with errors are left out.
    pub program: typed::Program,
    /// What checking needed besides. Who ends soon need not give it back piece by piece.
    pub rest: Rest,
}

/// What can be asked of the checker.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Definitions of the main file with these names are entry points, too, if they can be.
    pub entries: BTreeSet<String>,
    /// Those of `codes::OPTIONAL` to be given.
    pub warnings: Vec<Code>,
    /// Check what the program does not reach of the prelude and of the modules of the library that it imports, too.
    pub whole_prelude: bool,
}

/// Check the program whose main file has already been added to `sources` as `root`; `root_path`
/// is what its imports are relative to.
pub fn check(
    sources: &mut SourceMap,
    root: FileId,
    root_path: &str,
    loader: &mut dyn Loader,
    options: Options,
) -> Checked {
    modules::check_program(sources, root, root_path, loader, options)
}
