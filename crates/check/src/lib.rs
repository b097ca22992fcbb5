//! Names, modules, types, sizes and uniqueness: surface tree to typed tree.
//!
//! This is the last stage that can find fault with the user's program. It does no I/O: imported
//! files come through a `Loader`.

use norn_base::{Diagnostics, FileId, SourceMap};

/// Why a file could not be had.
#[derive(Debug, Clone)]
pub enum LoadError {
    NotFound,
    IsDirectory,
    NotUtf8 { valid_up_to: usize },
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
}

/// Check the program whose main file has already been added to `sources` as `root`; `root_path`
/// is what its imports are relative to.
pub fn check(_sources: &mut SourceMap, _root: FileId, _root_path: &str, _loader: &mut dyn Loader) -> Checked {
    Checked { diagnostics: Diagnostics::default() }
}
