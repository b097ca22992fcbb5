//! `norn doc`: pages of documentation.

use crate::args::{ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use crate::programs::programs_at;
use clap::Args;
use norn::doc::{Source, document};
use norn::{FsLoader, load_reason};
use norn_check::Loader;
use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct DocArgs {
    /// Programs, or folders with programs in them; without any, the prelude
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The folder for the pages
    #[arg(short, long, value_name = "FOLDER", default_value = "doc")]
    output: PathBuf,

    /// Leave the prelude out
    #[arg(long, requires = "paths")]
    no_prelude: bool,
}

pub fn run(args: &DocArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let mut files = Vec::new();
    let mut exit = Exit::Ok;
    for path in &args.paths {
        if let Err(e) = programs_at(path, &mut files) {
            console.error(format!("`{}` cannot be read: {e}", path.display()))?;
            exit = Exit::Usage;
        }
    }
    let mut sources = Vec::new();
    for file in &files {
        let path = file.to_string_lossy().into_owned();
        match FsLoader.load(&path) {
            Ok(text) => sources.push(Source { name: shown_name(file), path, text }),
            Err(e) => {
                console.error(format!("`{path}` {}", load_reason(&e)))?;
                exit = Exit::Usage;
            }
        }
    }
    if !args.paths.is_empty() && sources.is_empty() {
        console.error("there is no program to document")?;
        return Ok(Exit::Usage);
    }
    let title = if args.paths.is_empty() { "The prelude of Norn" } else { "Documentation" };
    let made = document(title, &sources, !args.no_prelude, &mut FsLoader);
    for (sources, diagnostics) in &made.faulty {
        console.report(sources, diagnostics)?;
        exit = exit.max(Exit::Rejected);
    }
    if let Err(e) = write(&args.output, &made.files) {
        console.error(format!("`{}` cannot be written: {e}", args.output.display()))?;
        return Ok(Exit::Usage);
    }
    let pages = made.files.iter().filter(|(name, _)| name.ends_with(".html")).count() - 1;
    let pages = if pages == 1 { "1 page".to_string() } else { format!("{pages} pages") };
    console.print(format!("{pages}; begin with {}\n", args.output.join("index.html").display()))?;
    Ok(exit)
}

fn write(folder: &Path, files: &[(String, String)]) -> Result<()> {
    fs::create_dir_all(folder)?;
    files.iter().try_for_each(|(name, content)| fs::write(folder.join(name), content))
}

/// `lib/sorts` of `./lib/sorts.fut`.
fn shown_name(file: &Path) -> String {
    let name = file.with_extension("").to_string_lossy().replace('\\', "/");
    let parts: Vec<&str> =
        name.split('/').filter(|part| !part.is_empty() && *part != "." && *part != "..").collect();
    parts.join("/")
}
