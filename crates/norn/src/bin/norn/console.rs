//! What the user sees: diagnostics, errors, exit codes.

use crate::args::{ColorChoice, MessageFormat};
use norn::{Paint, render_all};
use norn_base::{Diagnostics, SourceMap, json};
use std::fmt::Display;
use std::io::{BufWriter, Error, IsTerminal, Result, Write, stderr, stdout};
use std::process::ExitCode;

/// How the command ended; the worse is the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    Ok = 0,
    /// The program was found faulty.
    Rejected = 1,
    /// The program failed while running.
    Failed = 2,
    /// Wrong usage, or an input or output error.
    Usage = 3,
    /// We have made a mistake, which was reported when it was noticed.
    Bug = 101,
    /// The user has interrupted it: what shells say of a command that ends by the signal.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

pub struct Console {
    paint: Paint,
    format: MessageFormat,
}

impl Console {
    pub fn new(color: ColorChoice, format: MessageFormat) -> Console {
        let colored = match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Console { paint: if colored { Paint::Ansi } else { Paint::Plain }, format }
    }

    /// How messages are coloured.
    pub fn paint(&self) -> Paint {
        self.paint
    }

    /// Writes to standard output.
    pub fn print(&self, text: impl AsRef<[u8]>) -> Result<()> {
        require_stdout()?;
        write_to(&mut stdout().lock(), text.as_ref())
    }

    /// Writes to standard output, piece by piece.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        require_stdout()?;
        let mut out = BufWriter::new(stdout().lock());
        let written = write(&mut out).and_then(|()| out.flush());
        if written.is_err() {
            // Otherwise it would be tried again.
            let _ = out.into_parts();
        }
        written
    }

    /// Writes to standard error what is rendered already.
    pub fn print_error(&self, text: &str) -> Result<()> {
        write_to(&mut stderr().lock(), text.as_bytes())
    }

    /// Reports something that is not about a place in a program.
    pub fn error(&self, message: impl Display) -> Result<()> {
        self.print_error(&format!("error: {message}\n"))
    }

    pub fn report(&self, sources: &SourceMap, diagnostics: &Diagnostics) -> Result<()> {
        match self.format {
            MessageFormat::Human => self.print_error(&render_all(sources, diagnostics, self.paint)),
            MessageFormat::Json => {
                diagnostics.iter().try_for_each(|d| self.print(json::to_json(sources, d) + "\n"))
            }
        }
    }
}

fn write_to(stream: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    stream.write_all(bytes).and_then(|()| stream.flush())
}

/// Rust puts /dev/null in the place of a standard output that is closed, which takes everything.
fn require_stdout() -> Result<()> {
    match norn_runtime::stdout_was_closed() {
        true => Err(Error::other("standard output is closed")),
        false => Ok(()),
    }
}
