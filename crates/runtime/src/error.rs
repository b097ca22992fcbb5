//! What can go wrong between us and the system.

use std::fmt;
use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub enum RuntimeError {
    /// No C compiler was found that can build what we need; why each that was tried cannot.
    NoCompiler(Vec<String>),
    /// The C compiler did not accept our text; what it said.
    Rejected { compiler: PathBuf, message: String },
    /// A file cannot be written or read, or a process not be started.
    Io { what: &'static str, path: PathBuf, error: io::Error },
    /// What was compiled cannot be loaded.
    Load(String),
    /// Threads cannot be started.
    Threads(String),
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeError::NoCompiler(tried) if tried.is_empty() => {
                f.write_str("there is no C compiler (cc, gcc or clang)")
            }
            RuntimeError::NoCompiler(tried) => write!(f, "no C compiler works: {}", tried.join("; ")),
            RuntimeError::Rejected { compiler, message } => {
                write!(
                    f,
                    "the C compiler `{}` does not accept the compiled program\n{message}",
                    compiler.display()
                )
            }
            RuntimeError::Io { what, path, error } => {
                write!(f, "cannot {what} `{}`: {error}", path.display())
            }
            RuntimeError::Load(why) => write!(f, "the compiled program cannot be loaded: {why}"),
            RuntimeError::Threads(why) => write!(f, "threads cannot be started: {why}"),
        }
    }
}

impl std::error::Error for RuntimeError {}
