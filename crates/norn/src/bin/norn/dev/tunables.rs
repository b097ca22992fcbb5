//! `norn dev --tunables`: the numbers by which a program is made for a GPU, and which `--tune` can set.

use crate::console::{Console, Exit};
use norn::pipeline;
use norn::tune::{TuneError, TuneFile};
use norn_base::SourceMap;
use norn_passes::tuning::{Asked, NEVER, Tuner, shown};
use std::io::Result;
use std::path::Path;

/// A line for each, in the order in which they are asked for: thresholds first.
pub fn show_tunables(console: &Console, file: &Path, tune: Option<&Path>) -> Result<Exit> {
    let (program, sources) = match super::checked(console, file)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let mut tuner = match tuner(console, tune)? {
        Ok(tuner) => tuner,
        Err(exit) => return Ok(exit),
    };
    if let Err(diagnostics) = pipeline::ask_tunables(&program, &sources, &mut tuner) {
        console.report(&sources, &diagnostics)?;
        return Ok(Exit::Faulty);
    }
    match tuner.finish() {
        Ok(asked) => {
            console.print(text(&sources, &asked))?;
            Ok(Exit::Ok)
        }
        Err(wrong) => {
            let name = tune.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
            console.print_error(&TuneError::Wrong(name, wrong).render())?;
            Ok(Exit::Usage)
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
fn text(sources: &SourceMap, asked: &[Asked]) -> String {
    let mut out = String::new();
    for Asked { name, usual, range, value, span } in asked {
        let value = value.map(|value| if value == NEVER { "never".to_string() } else { value.to_string() });
        let (mark, value) = match value {
            Some(value) => ("", value),
            None => ("# ", usual.clone()),
        };
        let place = super::whereabouts::place_of(sources, *span);
        out += &format!("{:40} # {}, {place}\n", format!("{mark}{name} = {value}"), shown(range));
    }
    out
}
