//! Values that a program shows while it runs: `#[trace]` prints them to standard error, and at `#[break]` a run with someone at the
//! terminal waits.
//!
//! ```text
//! trace at sum.fut:3:11: [1, 2, 3]
//! ```

use norn::engine::{ObserveKind, Shown};
use std::io::{IsTerminal, Write, stderr, stdin};

/// Prints a value and where it was shown. Who does not read it misses it.
pub fn show(shown: &Shown, place: &str) {
    let Shown { kind, tag, value, .. } = shown;
    match kind {
        ObserveKind::Trace => {
            let _ = writeln!(stderr(), "{tag} at {place}: {value}");
        }
        ObserveKind::Break if stdin().is_terminal() && stderr().is_terminal() => {
            let _ = write!(stderr(), "{tag} at {place}: {value}\nEnter goes on. ");
            let _ = stdin().read_line(&mut String::new());
        }
        ObserveKind::Break => {}
    }
}
