//! `norn build`: a program as a C library, an executable or a Python module, which need nothing of Norn.

use crate::args::{BuildArgs, ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use norn::engine::render_device_error;
use norn::library::{LibraryError, LibrarySpec, PythonModule, Target, executable, library, python_module};
use norn::tune::TuneFile;
use norn::{Context, check_file, render_all};
use std::fs::{read, write};
use std::io::Result;
use std::path::{Path, PathBuf};

pub fn run(args: &BuildArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let outcome = match check_file(&args.file) {
        Ok(outcome) => outcome,
        Err(e) => {
            console.error(e)?;
            return Ok(Exit::Usage);
        }
    };
    if !outcome.diagnostics.has_errors() {
        console.print_error(&render_all(&outcome.sources, &outcome.diagnostics, console.paint()))?;
    }
    let target = args.output.clone().unwrap_or_else(|| args.file.with_extension(""));
    let Some(name) = target.file_name().and_then(|name| name.to_str()) else {
        console.error("the library needs a name: `-o NAME`")?;
        return Ok(Exit::Usage);
    };
    let backend = match args.backend.as_str() {
        "opencl" => Target::OpenCl,
        "cuda" => Target::Cuda,
        _ => Target::Cpu,
    };
    if args.tune.is_some() && backend == Target::Cpu {
        console.error("`--tune` is about GPUs: `--backend` chooses one")?;
        return Ok(Exit::Usage);
    }
    let tune = match args.tune.as_deref().map(TuneFile::read).transpose() {
        Ok(tune) => tune,
        Err(error) => {
            console.print_error(&error.render())?;
            return Ok(Exit::Usage);
        }
    };
    let spec = LibrarySpec { name, target: backend, tune: tune.as_ref() };
    if args.executable {
        return match executable(outcome, spec) {
            Ok(text) => link(&console, &text, &target),
            Err(error) => refuse(&console, &error),
        };
    }
    let ending = if args.archive { "a" } else { std::env::consts::DLL_EXTENSION };
    let file_name = format!("lib{name}.{ending}");
    if args.python {
        return match python_module(outcome, spec, &file_name) {
            Ok(made) => write_module(&console, &made, &target, &file_name),
            Err(error) => refuse(&console, &error),
        };
    }
    let library = match library(outcome, spec) {
        Ok(library) => library,
        Err(error) => return refuse(&console, &error),
    };
    let mut texts = vec![("h", &library.header), ("json", &library.manifest)];
    let built = match (args.shared, args.archive) {
        (false, false) => {
            texts.push(("c", &library.code));
            Ok(())
        }
        (_, is_archive) => {
            let file = target.with_file_name(file_name);
            build_library(&console, &library.whole(name), &file, is_archive)?
        }
    };
    if let Err(exit) = built {
        return Ok(exit);
    }
    write_all(&console, &target, &texts)
}

fn refuse(console: &Console, error: &LibraryError) -> Result<Exit> {
    console.print_error(&error.render(console.paint()))?;
    Ok(match error {
        LibraryError::Compile(error) => crate::load::exit_for(error),
        LibraryError::Type(_) => Exit::Rejected,
    })
}

fn link(console: &Console, text: &str, target: &Path) -> Result<Exit> {
    let built = Context::default().cpu(false).and_then(|cpu| cpu.build_executable(text, target));
    match built {
        Ok(()) => Ok(Exit::Ok),
        Err(error) => {
            console.print_error(&render_device_error(&error))?;
            Ok(Exit::Usage)
        }
    }
}

fn write_module(console: &Console, made: &PythonModule, target: &Path, library: &str) -> Result<Exit> {
    match build_library(console, &made.code, &target.with_file_name(library), false)? {
        Ok(()) => write_all(console, target, &[("py", &made.module)]),
        Err(exit) => Ok(exit),
    }
}

/// Whether the C compiler has made a library of a text, a static or a shared one.
fn build_library(
    console: &Console,
    text: &str,
    file: &Path,
    is_static: bool,
) -> Result<std::result::Result<(), Exit>> {
    let built = Context::default().cpu(false).and_then(|cpu| match is_static {
        true => cpu.build_static_library(text, file),
        false => cpu.build_library(text, file),
    });
    let Err(error) = built else { return Ok(Ok(())) };
    console.print_error(&render_device_error(&error))?;
    Ok(Err(Exit::Usage))
}

/// Writes texts to files with these endings. A file that somebody has written is not overwritten.
fn write_all(console: &Console, target: &Path, texts: &[(&str, &String)]) -> Result<Exit> {
    // The name may have a dot itself.
    let path = |ending: &str| {
        let mut path = target.as_os_str().to_owned();
        path.push(".");
        path.push(ending);
        PathBuf::from(path)
    };
    if let Some(path) = texts.iter().map(|(ending, _)| path(ending)).find(|path| is_foreign(path)) {
        let path = path.display();
        console.error(format!(
            "`{path}` is there already, and `norn build` has not made it: `-o` chooses another name"
        ))?;
        return Ok(Exit::Usage);
    }
    for (ending, text) in texts {
        let path = path(ending);
        if let Err(e) = write(&path, text) {
            console.error(format!("`{}` cannot be written: {e}", path.display()))?;
            return Ok(Exit::Usage);
        }
    }
    Ok(Exit::Ok)
}

/// Whether a file is there that `norn build` has not made.
fn is_foreign(path: &Path) -> bool {
    let Ok(bytes) = read(path) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let is_manifest = path.extension().is_some_and(|ending| ending == "json");
    let ours = if is_manifest {
        text.contains("\"entry_points\"")
    } else {
        text.lines().next().is_some_and(|line| line.contains("that norn"))
    };
    !ours && !text.trim().is_empty()
}
