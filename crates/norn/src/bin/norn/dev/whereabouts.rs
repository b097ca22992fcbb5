//! `norn dev --where`: what of a program a GPU does, which versions of its nests there are, where its host waits for it, and what is left to the processor.

use super::tunables;
use crate::console::{Console, Exit};
use norn::pipeline;
use norn_base::SourceMap;
use norn_passes::cut::processor::GpuOnly;
use norn_passes::place::survey::{Side, Surveyed};
use norn_passes::tuning::ProgramTunable;
use std::fmt::Write;
use std::io::Result;
use std::path::Path;

/// A line for each statement that is more than the host's own arithmetic, and for each number that chooses between versions.
pub fn show_where(console: &Console, file: &Path, tune: Option<&Path>, shared: bool) -> Result<Exit> {
    let (program, sources) = match super::checked(console, file)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let mut tuner = match tunables::tuner(console, tune)? {
        Ok(tuner) => tuner,
        Err(exit) => return Ok(exit),
    };
    if tune.is_some()
        && let Err(exit) = tunables::tunables(console, &program, &sources, (tuner.clone(), tune))?
    {
        return Ok(exit);
    }
    match pipeline::survey(&program, &sources, &mut tuner) {
        Ok(surveyed) => {
            console.print(text(&sources, &surveyed, tuner.tunables()))?;
            if shared && let Ok(tasks) = pipeline::gpu_only(&program, &sources, &mut tuner.clone()) {
                for GpuOnly { fun, span, why } in tasks {
                    let place = place_of(&sources, span);
                    console.print(format!("{fun}\n  gpu only   task       {place}  {}\n", why.text()))?;
                }
            }
            Ok(Exit::Ok)
        }
        Err(diagnostics) => {
            console.report(&sources, &diagnostics)?;
            Ok(Exit::Rejected)
        }
    }
}

fn text(sources: &SourceMap, surveyed: &[Surveyed], thresholds: &[ProgramTunable]) -> String {
    let mut out = String::new();
    for fun in surveyed {
        let _ = writeln!(out, "{}", fun.name);
        let is_own = |tunables: &&ProgramTunable| owner(tunables) == Some(&fun.name);
        let own: Vec<&ProgramTunable> = thresholds.iter().filter(is_own).collect();
        if fun.stms.is_empty() && own.is_empty() {
            out.push_str("  nothing but the host's own arithmetic, and copies of arrays\n");
        }
        for tunables in own {
            let (place, setting) = (place_of(sources, tunables.span), tunables::setting(tunables));
            let what = tunables.name.rsplit('.').next().unwrap_or_default();
            let _ = writeln!(out, "  versions   {what:10} {place}  {setting}");
        }
        for placed in &fun.stms {
            let (side, why) = match placed.side {
                Side::Device => ("device", ""),
                Side::Wait => ("wait", ""),
                Side::WaitAgain => ("wait", "again in the same step of a loop"),
                Side::Processor(why) => ("processor", why.text()),
            };
            let line = format!("  {side:9}  {:10} {}  {why}", placed.what, place_of(sources, placed.span));
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}

/// The function whose nest it is about: what stands before the number of the nest.
fn owner(tunables: &ProgramTunable) -> Option<&str> {
    let (nest, _what) = tunables.name.rsplit_once('.')?;
    nest.rsplit_once('.').map(|(fun, _number)| fun)
}

/// An operator that is in many places has none of its own.
pub fn place_of(sources: &SourceMap, span: norn_base::Span) -> String {
    if span == norn_ir::nest::print::NOWHERE { "in many places".to_string() } else { sources.place(span) }
}
