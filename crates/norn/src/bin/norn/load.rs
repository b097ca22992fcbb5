//! Programs for the commands that run them.

use crate::args::BackendArgs;
use crate::console::{Console, Exit};
use norn::engine::{Backend, Choice, CompileError, Engine, Options, cpu};
use std::io::Result;
use std::path::Path;

/// How the user wants programs to be run; if that cannot be, says so. The best backend that is there is the processor, if there is a
/// C compiler.
pub fn options(console: &Console, args: &BackendArgs) -> Result<std::result::Result<Options, Exit>> {
    choose(console, args, |console| match cpu(args.cpu_options()) {
        Ok(_) => Ok(Backend::Cpu),
        Err(error) => {
            console.print_error(&format!("note: {error}; programs are interpreted, which is slow\n"))?;
            Ok(Backend::Interp)
        }
    })
}

/// As `options`, for programs that are run once and end at once: compiling them would take longer than interpreting them.
pub fn options_for_snippets(
    console: &Console,
    args: &BackendArgs,
) -> Result<std::result::Result<Options, Exit>> {
    choose(console, args, |_| Ok(Backend::Interp))
}

fn choose(
    console: &Console,
    args: &BackendArgs,
    best: impl FnOnce(&Console) -> Result<Backend>,
) -> Result<std::result::Result<Options, Exit>> {
    let backend = match args.backend.parse() {
        Ok(Choice::This(backend)) => backend,
        Ok(Choice::Auto) => best(console)?,
        Err(e) => {
            let e: norn::engine::BackendError = e;
            console.error(e)?;
            return Ok(Err(Exit::Usage));
        }
    };
    Ok(Ok(Options { paint: console.paint(), cpu: args.cpu_options(), ..Options::from(backend) }))
}

/// Compiles the program at `path` and shows its diagnostics.
pub fn load(console: &Console, path: &Path, args: &BackendArgs) -> Result<std::result::Result<Engine, Exit>> {
    let options = match options(console, args)? {
        Ok(options) => options,
        Err(exit) => return Ok(Err(exit)),
    };
    match Engine::load(path, Options { reuse: true, ..options }) {
        Ok((engine, warnings)) => {
            console.print_error(&warnings)?;
            Ok(Ok(engine))
        }
        Err(error) => {
            console.print_error(&error.render(console.paint()))?;
            Ok(Err(exit_for(&error)))
        }
    }
}

/// How a command ends whose program cannot be compiled.
pub fn exit_for(error: &CompileError) -> Exit {
    match error {
        CompileError::Rejected(_) => Exit::Faulty,
        CompileError::Io(_) | CompileError::Device(_) => Exit::Usage,
    }
}
