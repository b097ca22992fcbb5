//! `norn run --profile`: which kernels the time went to.

use crate::console::{Console, Exit};
use norn::engine::{Called, Engine, Item};
use norn::profile::{Profile, profile};
use std::io::Result;
use std::path::Path;

/// The table goes to standard error, the page to its file. An exit, if that cannot be written.
pub fn report(
    console: &Console,
    engine: &Engine,
    called: &Called<Item>,
    program: &Path,
    page: Option<&Path>,
) -> Result<Option<Exit>> {
    let Some(profile) = profile(engine, called.time, called.traffic) else {
        console.print_error("profile: the interpreter has no kernels\n")?;
        return Ok(None);
    };
    console.print_error(&profile.table())?;
    let Some(path) = page else { return Ok(None) };
    match write_page(&profile, program, path) {
        Ok(()) => Ok(None),
        Err(e) => {
            console.error(format!("cannot write {}: {e}", path.display()))?;
            Ok(Some(Exit::Usage))
        }
    }
}

fn write_page(profile: &Profile, program: &Path, path: &Path) -> Result<()> {
    std::fs::write(path, profile.page(&program.display().to_string()))
}
