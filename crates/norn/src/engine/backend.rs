//! What runs a program, and how it is named.

use crate::Paint;
use std::fmt;
use std::str::FromStr;

/// What runs a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// The reference interpreter.
    #[default]
    Interp,
}

/// The names a user may give.
pub const BACKENDS: &[&str] = &["auto", "interp", "cpu", "opencl", "cuda"];

/// Why a name is no backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackendError {
    Unknown(String),
    /// One that is planned.
    NotAvailable(String),
}

/// How to compile and run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Whether rendered messages are coloured.
    pub paint: Paint,
    /// Whether the program is improved first. What it means must not change.
    pub improve: bool,
}

impl From<Backend> for Options {
    fn from(backend: Backend) -> Options {
        Options { backend, paint: Paint::Plain, improve: false }
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Backend, BackendError> {
        match name {
            "auto" | "interp" => Ok(Backend::Interp),
            known if BACKENDS.contains(&known) => Err(BackendError::NotAvailable(name.into())),
            _ => Err(BackendError::Unknown(name.into())),
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackendError::Unknown(name) => {
                write!(f, "there is no backend `{name}`; the backends are {}", BACKENDS.join(", "))
            }
            BackendError::NotAvailable(name) => {
                write!(f, "the backend `{name}` is not available yet; use `interp`")
            }
        }
    }
}

impl std::error::Error for BackendError {}
