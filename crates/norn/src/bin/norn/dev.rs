//! `norn dev`: show what the compiler makes of a program.

use crate::args::{ColorChoice, DevArgs, MessageFormat};
use crate::console::{Console, Exit};
use norn_check::print_typed::{PrintOptions, print_program};
use std::io::Result;

pub fn run(args: &DevArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    if args.typed { show_typed(&console, args) } else { show_ast(&console, args) }
}

fn show_ast(console: &Console, args: &DevArgs) -> Result<Exit> {
    let parsed = match norn::parse_file(&args.file) {
        Ok(parsed) => parsed,
        Err(e) => {
            console.error(e)?;
            return Ok(Exit::Usage);
        }
    };
    console.report(&parsed.sources, &parsed.diagnostics)?;
    if let Some(syntax) = &parsed.syntax {
        console.print(&format!("{:#?}\n", syntax.prog))?;
    }
    Ok(if parsed.diagnostics.has_errors() { Exit::Faulty } else { Exit::Ok })
}

fn show_typed(console: &Console, args: &DevArgs) -> Result<Exit> {
    let outcome = match norn::check_file(&args.file) {
        Ok(outcome) => outcome,
        Err(e) => {
            console.error(e)?;
            return Ok(Exit::Usage);
        }
    };
    console.report(&outcome.sources, &outcome.diagnostics)?;
    if let Some(checked) = &outcome.checked {
        let options = PrintOptions { imports: args.all, prelude: args.prelude, instances: args.instances };
        console.print(&print_program(&checked.program, options))?;
    }
    Ok(if outcome.diagnostics.has_errors() { Exit::Faulty } else { Exit::Ok })
}
