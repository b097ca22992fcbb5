//! Programs for the commands that run them.

use crate::args::BackendArgs;
use crate::console::{Console, Exit};
use norn::engine::{Backend, CompileError, Engine, Options};
use std::io::Result;
use std::path::Path;

/// How the user wants programs to be run; if that cannot be, says so.
pub fn options(console: &Console, args: &BackendArgs) -> Result<std::result::Result<Options, Exit>> {
    Ok(match args.backend.parse::<Backend>() {
        Ok(backend) => Ok(Options { paint: console.paint(), ..Options::from(backend) }),
        Err(e) => {
            console.error(e)?;
            Err(Exit::Usage)
        }
    })
}

/// Compiles the program at `path` and shows its diagnostics.
pub fn load(console: &Console, path: &Path, args: &BackendArgs) -> Result<std::result::Result<Engine, Exit>> {
    let options = match options(console, args)? {
        Ok(options) => options,
        Err(exit) => return Ok(Err(exit)),
    };
    Ok(match Engine::load(path, options) {
        Ok((engine, warnings)) => {
            console.print_error(&warnings)?;
            Ok(engine)
        }
        Err(CompileError::Io(e)) => {
            console.error(e)?;
            Err(Exit::Usage)
        }
        Err(CompileError::Rejected(rejection)) => {
            console.print_error(&rejection.render(console.paint()))?;
            Err(Exit::Faulty)
        }
    })
}
