//! `norn dev`: show what the compiler makes of a program.

mod fusion;
mod time;
mod tunables;
mod whereabouts;

use crate::args::{ColorChoice, DevArgs, MessageFormat};
use crate::console::{Console, Exit};
use norn::pipeline;
use norn_base::SourceMap;
use norn_check::print_typed::{PrintOptions, print_program};
use norn_check::typed::Program;
use std::io::Result;
use std::path::Path;

pub fn run(args: &DevArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    match (&args.pass, &args.file) {
        (Some(pass), file) => show_pass(&console, pass, file.as_deref(), args.tune.as_deref()),
        (None, Some(file)) if args.typed => show_typed(&console, file, args),
        (None, Some(file)) if args.fusion => fusion::show_fusion(&console, file, args.dot),
        (None, Some(file)) if args.time => time::show_times(&console, file),
        (None, Some(file)) if args.where_ => {
            whereabouts::show_where(&console, file, args.tune.as_deref(), args.shared)
        }
        (None, Some(file)) if args.tunables => tunables::show_tunables(&console, file, args.tune.as_deref()),
        (None, Some(file)) => show_ast(&console, file),
        (None, None) => no_file(&console),
    }
}

fn show_pass(console: &Console, name: &str, file: Option<&Path>, tune: Option<&Path>) -> Result<Exit> {
    if name == "list" {
        for pass in pipeline::passes() {
            console.print(format!("{:10} {}\n", pass.name, pass.about))?;
        }
        return Ok(Exit::Ok);
    }
    let Some(pass) = pipeline::pass(name) else {
        let names: Vec<&str> = pipeline::passes().map(|pass| pass.name).collect();
        console.error(format!("there is no pass `{name}`; the passes are {}", names.join(", ")))?;
        return Ok(Exit::Usage);
    };
    let Some(file) = file else { return no_file(console) };
    let (program, sources) = match checked(console, file)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let mut tuner = match tunables::tuner(console, tune)? {
        Ok(tuner) => tuner,
        Err(exit) => return Ok(exit),
    };
    match pipeline::show_after(&program, &pass, &mut tuner) {
        Ok(text) => {
            console.print(text)?;
            Ok(Exit::Ok)
        }
        Err(diagnostics) => {
            console.report(&sources, &diagnostics)?;
            Ok(Exit::Rejected)
        }
    }
}

/// The program of a file, if it has no errors. Its diagnostics are printed.
fn checked(console: &Console, file: &Path) -> Result<std::result::Result<(Program, SourceMap), Exit>> {
    let outcome = match norn::check_file(file) {
        Ok(outcome) => outcome,
        Err(e) => {
            console.error(e)?;
            return Ok(Err(Exit::Usage));
        }
    };
    console.report(&outcome.sources, &outcome.diagnostics)?;
    let checked = outcome.checked.filter(|_| !outcome.diagnostics.has_errors());
    Ok(checked.map(|checked| (checked.program, outcome.sources)).ok_or(Exit::Rejected))
}

fn no_file(console: &Console) -> Result<Exit> {
    console.error("a file is needed")?;
    Ok(Exit::Usage)
}

fn show_ast(console: &Console, file: &Path) -> Result<Exit> {
    let parsed = match norn::parse_file(file) {
        Ok(parsed) => parsed,
        Err(e) => {
            console.error(e)?;
            return Ok(Exit::Usage);
        }
    };
    console.report(&parsed.sources, &parsed.diagnostics)?;
    if let Some(syntax) = &parsed.syntax {
        console.print(format!("{:#?}\n", syntax.prog))?;
    }
    Ok(if parsed.diagnostics.has_errors() { Exit::Rejected } else { Exit::Ok })
}

fn show_typed(console: &Console, file: &Path, args: &DevArgs) -> Result<Exit> {
    let outcome = match norn::check_file(file) {
        Ok(outcome) => outcome,
        Err(e) => {
            console.error(e)?;
            return Ok(Exit::Usage);
        }
    };
    console.report(&outcome.sources, &outcome.diagnostics)?;
    if let Some(checked) = &outcome.checked {
        let options = PrintOptions { imports: args.all, prelude: args.prelude, instances: args.instances };
        console.print(print_program(&checked.program, options))?;
    }
    Ok(if outcome.diagnostics.has_errors() { Exit::Rejected } else { Exit::Ok })
}
