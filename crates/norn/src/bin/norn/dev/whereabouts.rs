//! `norn dev --where`: what of a program a GPU does, where its host waits for it, and what is left to the processor.

use crate::console::{Console, Exit};
use norn::pipeline;
use norn_base::SourceMap;
use norn_passes::place::survey::{Side, Surveyed};
use std::fmt::Write;
use std::io::Result;
use std::path::Path;

/// A line for each statement that is more than the host's own arithmetic.
pub fn show_where(console: &Console, file: &Path) -> Result<Exit> {
    let (program, sources) = match super::checked(console, file)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    match pipeline::survey(&program, &sources) {
        Ok(surveyed) => {
            console.print(text(&sources, &surveyed))?;
            Ok(Exit::Ok)
        }
        Err(diagnostics) => {
            console.report(&sources, &diagnostics)?;
            Ok(Exit::Faulty)
        }
    }
}

fn text(sources: &SourceMap, surveyed: &[Surveyed]) -> String {
    let mut out = String::new();
    for fun in surveyed {
        let _ = writeln!(out, "{}", fun.name);
        if fun.stms.is_empty() {
            out.push_str("  nothing but the host's own arithmetic, and copies of arrays\n");
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

/// An operator that is in many places has none of its own.
pub fn place_of(sources: &SourceMap, span: norn_base::Span) -> String {
    if span == norn_ir::nest::print::NOWHERE { "in many places".to_string() } else { sources.place(span) }
}
