//! `norn dev --tunables`: the numbers by which a program is made for a GPU, and which `--tune` can set.

use crate::console::{Console, Exit};
use norn::pipeline;
use norn::tune::{TuneError, TuneFile};
use norn_base::SourceMap;
use norn_check::typed::Program;
use norn_passes::tuning::{NEVER, ProgramTunable, Tuner, shown};
use std::io::Result;
use std::path::Path;

/// A line for each, in the order in which they are asked for: thresholds first.
pub fn show_tunables(console: &Console, file: &Path, tune: Option<&Path>) -> Result<Exit> {
    let (program, sources) = match super::checked(console, file)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let tuner = match tuner(console, tune)? {
        Ok(tuner) => tuner,
        Err(exit) => return Ok(exit),
    };
    let tunables = match tunables(console, &program, &sources, (tuner, tune))? {
        Ok(tunables) => tunables,
        Err(exit) => return Ok(exit),
    };
    console.print(text(&sources, &tunables))?;
    Ok(Exit::Ok)
}

/// All tunables of the program, unless the file sets what the program does not have.
pub fn tunables(
    console: &Console,
    program: &Program,
    sources: &SourceMap,
    (mut tuner, tune): (Tuner, Option<&Path>),
) -> Result<std::result::Result<Vec<ProgramTunable>, Exit>> {
    if let Err(diagnostics) = pipeline::ask_tunables(program, sources, &mut tuner) {
        console.report(sources, &diagnostics)?;
        return Ok(Err(Exit::Rejected));
    }
    match tuner.finish() {
        Ok(tunables) => Ok(Ok(tunables)),
        Err(wrong) => {
            let name = tune.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
            console.print_error(&TuneError::Wrong(name, wrong).render())?;
            Ok(Err(Exit::Usage))
        }
    }
}

/// With what the file sets, if there is one.
pub fn tuner(console: &Console, tune: Option<&Path>) -> Result<std::result::Result<Tuner, Exit>> {
    match tune.map(TuneFile::read).transpose() {
        Ok(tune) => Ok(Ok(tune.map_or_else(Tuner::default, |tune| tune.tuner()))),
        Err(error) => {
            console.print_error(&error.render())?;
            Ok(Err(Exit::Usage))
        }
    }
}

/// As a file for `--tune` that changes nothing.
fn text(sources: &SourceMap, tunables: &[ProgramTunable]) -> String {
    let mut out = String::new();
    for one in tunables {
        let mark = if one.value.is_some() { "" } else { "# " };
        let place = super::whereabouts::place_of(sources, one.span);
        out += &format!("{:40} # {}, {place}\n", format!("{mark}{}", setting(one)), shown(&one.range));
    }
    out
}

/// Its name and value, or in words what it depends on.
pub fn setting(tunables: &ProgramTunable) -> String {
    let value = match tunables.value {
        Some(NEVER) => "never".to_string(),
        Some(value) => value.to_string(),
        None => tunables.usual.clone(),
    };
    format!("{} = {value}", tunables.name)
}
