//! `norn build`: a program as a C library, an executable or a Python module, which need nothing of Norn.

use crate::args::{BuildArgs, ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use norn::engine::render_device_error;
use norn::library::{Library, LibraryError, PythonModule, executable, library, python_module};
use norn::{Context, check_file, render_all};
use std::fs::write;
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
    if args.executable {
        return match executable(outcome, name) {
            Ok(text) => link(&console, &text, &target),
            Err(error) => refuse(&console, &error),
        };
    }
    if args.python {
        let file_name = format!("lib{name}.{}", std::env::consts::DLL_EXTENSION);
        return match python_module(outcome, name, &file_name) {
            Ok(made) => write_module(&console, &made, &target, &file_name),
            Err(error) => refuse(&console, &error),
        };
    }
    let library = match library(outcome, name) {
        Ok(library) => library,
        Err(error) => return refuse(&console, &error),
    };
    match write_all(&library, &target) {
        Ok(()) => Ok(Exit::Ok),
        Err((path, e)) => {
            console.error(format!("`{}` cannot be written: {e}", path.display()))?;
            Ok(Exit::Usage)
        }
    }
}

fn refuse(console: &Console, error: &LibraryError) -> Result<Exit> {
    console.print_error(&error.render(console.paint()))?;
    Ok(match error {
        LibraryError::Compile(error) => crate::load::exit_for(error),
        LibraryError::Type(_) => Exit::Faulty,
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
    let built = Context::default()
        .cpu(false)
        .and_then(|cpu| cpu.build_library(&made.code, &target.with_file_name(library)));
    if let Err(error) = built {
        console.print_error(&render_device_error(&error))?;
        return Ok(Exit::Usage);
    }
    match write_with_ending(target, "py", &made.module) {
        Ok(()) => Ok(Exit::Ok),
        Err((path, e)) => {
            console.error(format!("`{}` cannot be written: {e}", path.display()))?;
            Ok(Exit::Usage)
        }
    }
}

fn write_all(library: &Library, target: &Path) -> std::result::Result<(), (PathBuf, std::io::Error)> {
    for (ending, text) in [("h", &library.header), ("c", &library.code), ("json", &library.manifest)] {
        write_with_ending(target, ending, text)?;
    }
    Ok(())
}

fn write_with_ending(
    target: &Path,
    ending: &str,
    text: &str,
) -> std::result::Result<(), (PathBuf, std::io::Error)> {
    // The name may have a dot itself.
    let mut path = target.as_os_str().to_owned();
    path.push(".");
    path.push(ending);
    let path = PathBuf::from(path);
    write(&path, text).map_err(|e| (path, e))
}
