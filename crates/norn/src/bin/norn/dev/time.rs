//! `norn dev --time`: how long each phase of compiling takes.

use crate::console::{Console, Exit};
use crate::load::exit_for;
use norn::phases::time_phases;
use std::io::Result;
use std::path::Path;

/// A line for each phase, with its time in milliseconds.
pub fn show_times(console: &Console, file: &Path) -> Result<Exit> {
    let phases = match time_phases(file) {
        Ok(phases) => phases,
        Err(error) => {
            console.print_error(&error.render(console.paint()))?;
            return Ok(exit_for(&error));
        }
    };
    let total = ("total", phases.total());
    for (name, time) in phases.times.iter().chain([&total]) {
        console.print(format!("{name:10} {:10.3} ms\n", time.as_secs_f64() * 1000.0))?;
    }
    Ok(Exit::Ok)
}
