//! `norn check`: report the mistakes in programs.

use crate::args::{CheckArgs, ColorChoice};
use crate::console::{Console, Exit};
use crate::explain::explain;
use norn::CheckOptions;
use norn_base::codes;
use std::io::Result;

pub fn run(args: &CheckArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, args.message_format);
    if let Some(code) = &args.explain {
        return explain(&console, code);
    }
    let is_enabled = |name: &&str| args.warn.iter().any(|enabled| enabled == name);
    let warnings: Vec<_> =
        codes::OPTIONAL.iter().filter(|(name, _)| is_enabled(name)).map(|(_, code)| *code).collect();
    let mut exit = Exit::Ok;
    for path in &args.files {
        let options = CheckOptions { warnings: warnings.clone(), ..CheckOptions::default() };
        let outcome = match norn::check_file_with(path, options) {
            Ok(outcome) => outcome,
            Err(e) => {
                console.error(e)?;
                exit = exit.max(Exit::Usage);
                continue;
            }
        };
        console.report(&outcome.sources, &outcome.diagnostics)?;
        let denied = args.deny_warnings && !outcome.diagnostics.is_empty();
        if denied || outcome.diagnostics.has_errors() {
            exit = exit.max(Exit::Rejected);
        }
        // The process ends soon: to give the memory of a program back piece by piece would be a tenth of the time.
        std::mem::forget(outcome);
    }
    Ok(exit)
}
