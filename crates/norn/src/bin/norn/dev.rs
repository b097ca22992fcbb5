//! `norn dev`: show what the compiler makes of a program.

use crate::args::{ColorChoice, DevArgs, MessageFormat};
use crate::console::{Console, Exit};
use std::io::Result;

pub fn run(args: &DevArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
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
