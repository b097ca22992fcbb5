//! Files with tunables (`--tune FILE`): see `norn_passes::tuning` for what they say.

use crate::files::{FileError, load_reason, read_regular};
use norn_check::LoadError;
use norn_passes::tuning::{Tuner, Tuning, TuningError};
use std::fmt;
use std::path::Path;

/// Such a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuneFile {
    name: String,
    tuning: Tuning,
}

/// Why such a file is of no use.
#[derive(Debug)]
pub enum TuneError {
    Io(FileError),
    /// What is wrong in the file of this name.
    Wrong(String, Vec<TuningError>),
}

impl TuneFile {
    pub fn read(path: &Path) -> Result<TuneFile, TuneError> {
        let name = path.to_string_lossy().into_owned();
        let unreadable =
            |error: LoadError| TuneError::Io(FileError { path: name.clone(), reason: load_reason(&error) });
        let bytes = read_regular(path).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            unreadable(LoadError::NotUtf8 { valid_up_to: error.utf8_error().valid_up_to() })
        })?;
        match Tuning::parse(&text) {
            Ok(tuning) => Ok(TuneFile::new(&name, tuning)),
            Err(wrong) => Err(TuneError::Wrong(name, wrong)),
        }
    }

    /// What such a file of this name would say.
    pub fn new(name: &str, tuning: Tuning) -> TuneFile {
        TuneFile { name: name.into(), tuning }
    }

    pub fn tuner(&self) -> Tuner {
        Tuner::new(self.tuning.clone())
    }

    /// What a program with these tunables depends on.
    pub fn identity(&self) -> String {
        format!("{:?}", self.tuning)
    }

    /// What a compiled program found wrong with the file.
    pub fn check(&self, tuner: Tuner) -> Result<(), TuneError> {
        tuner.finish().map(drop).map_err(|wrong| TuneError::Wrong(self.name.clone(), wrong))
    }
}

impl TuneError {
    /// Ends in a line break.
    pub fn render(&self) -> String {
        self.to_string().lines().map(|line| format!("error: {line}\n")).collect()
    }
}

/// A line for each.
impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::Io(error) => error.fmt(f),
            TuneError::Wrong(name, wrong) => {
                let shown = |wrong: &TuningError| format!("{name}:{}: {}", wrong.line, wrong.message);
                f.write_str(&wrong.iter().map(shown).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

impl std::error::Error for TuneError {}
