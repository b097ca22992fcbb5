//! `norn literate`: programs as pages with their results.

mod output;

use crate::args::{BackendArgs, ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use crate::load::{exit_for, options};
use clap::Args;
use norn::engine::Options;
use norn::literate::{Evaluated, Literate, Summary, summary};
use norn::testing::collect_programs;
use norn::{Paint, render_all};
use output::{Format, Output};
use std::io::Result;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct LiterateArgs {
    /// Programs, or folders with programs in them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub backend: BackendArgs,

    /// Where the page is written, beside the program if not given; for several programs a folder, which gets an index
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,

    /// Write HTML, a single file with all pictures inside, instead of Markdown
    #[arg(long)]
    pub html: bool,

    /// Write nothing for a program with a directive that fails
    #[arg(long)]
    pub stop_on_error: bool,

    /// Say which programs are read and which pages are written
    #[arg(short, long)]
    pub verbose: bool,
}

pub fn run(args: &LiterateArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let options = match options(&console, &args.backend)? {
        // Messages are part of pages, too.
        Ok(options) => Options { paint: Paint::Plain, ..options },
        Err(exit) => return Ok(exit),
    };
    let format = if args.html { Format::Html } else { Format::Markdown };
    let prepared = collect_programs(&args.paths).map_err(|e| e.to_string()).and_then(|programs| {
        let output = Output::new(args.output.as_deref(), &args.paths, &programs, format)?;
        Ok((programs, output))
    });
    let (programs, output) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            console.error(message)?;
            return Ok(Exit::Usage);
        }
    };
    let mut worst = Exit::Ok;
    let mut written = Vec::new();
    for program in &programs {
        if args.verbose {
            console.print_error(&format!("{}\n", program.display()))?;
        }
        let (summary, exit) = make_page(&console, program, options.clone(), args, &output)?;
        written.extend(summary.map(|summary| (program.as_path(), summary)));
        worst = worst.max(exit);
    }
    if let Err(message) = output.write_index(&written) {
        console.error(message)?;
        return Ok(Exit::Usage);
    }
    Ok(worst)
}

/// Makes the page of a program and writes it. Prints what it is about, if it was written.
fn make_page(
    console: &Console,
    program: &Path,
    options: Options,
    args: &LiterateArgs,
    output: &Output,
) -> Result<(Option<Summary>, Exit)> {
    let literate = match Literate::read(program) {
        Ok(literate) => literate,
        Err(error) => {
            console.error(error)?;
            return Ok((None, Exit::Usage));
        }
    };
    let evaluated = if literate.has_directives() {
        match literate.compile(options) {
            Ok((engine, warnings)) => {
                console.print_error(&literate.with_folder(&warnings))?;
                literate.evaluate(Some(&engine), args.stop_on_error)
            }
            Err(error) => {
                console.print_error(&literate.with_folder(&error.render(Paint::Plain)))?;
                return Ok((None, exit_for(&error)));
            }
        }
    } else {
        let outcome = literate.check();
        let rendered = render_all(&outcome.sources, &outcome.diagnostics, Paint::Plain);
        console.print_error(&literate.with_folder(&rendered))?;
        if outcome.diagnostics.has_errors() {
            return Ok((None, Exit::Rejected));
        }
        literate.evaluate(None, false)
    };
    let Evaluated { page, errors } = evaluated;
    for error in &errors {
        console.print_error(error)?;
    }
    let exit = if errors.is_empty() { Exit::Ok } else { Exit::Rejected };
    if args.stop_on_error && !errors.is_empty() {
        return Ok((None, exit));
    }
    match output.write_page(program, &page) {
        Ok(path) => {
            if args.verbose {
                console.print_error(&format!("  -> {}\n", path.display()))?;
            }
            Ok((Some(summary(&page)), exit))
        }
        Err(message) => {
            console.error(message)?;
            Ok((None, Exit::Usage))
        }
    }
}
