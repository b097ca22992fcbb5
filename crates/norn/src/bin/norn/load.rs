//! Programs for the commands that run them.

use crate::args::BackendArgs;
use crate::console::{Console, Exit};
use norn::Program;
use norn::engine::{
    Backend, Choice, CompileError, Options, UnknownBackend, best_backend, render_device_error,
};
use norn::tune::TuneFile;
use std::io::{IsTerminal, Result, Write, stderr};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long a program is compiled before someone at a terminal is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// How the user wants programs to be run; if that is impossible, reports it.
pub fn options(console: &Console, args: &BackendArgs) -> Result<std::result::Result<Options, Exit>> {
    choose(console, args, |console| {
        let best = best_backend(args.context());
        let why_interpreted = match best.backend {
            Backend::Interp => best.passed_over.into_iter().map(|(_, why)| why).collect(),
            Backend::Cpu | Backend::OpenCl | Backend::Cuda => Vec::from_iter(best.cannot_compile),
        };
        if why_interpreted.is_empty() {
            return Ok(best.backend);
        }
        for why in why_interpreted {
            console.print_error(&format!("note: {why}; programs are interpreted, which is slow\n"))?;
        }
        Ok(Backend::Interp)
    })
}

/// The program at `path`, if it need not be compiled: where the user leaves the choice to us and there is no compiler any more, what was
/// compiled before is still better than to interpret it.
fn recall(console: &Console, path: &Path, args: &BackendArgs) -> Option<Program> {
    let Ok(Choice::Auto) = args.backend.parse() else { return None };
    if args.device.is_some() || args.strict_device || args.tune.is_some() {
        return None;
    }
    let best = best_backend(args.context());
    best.cannot_compile?;
    let options =
        Options { paint: console.paint(), context: args.context().clone(), ..Options::from(best.backend) };
    Program::recall(path, options)
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
    let device = args.device();
    let backend = match (args.backend.parse(), &device) {
        (Ok(Choice::This(backend)), Some(device)) if backend != device.backend() => {
            let name = backend.name();
            console.error(format!("`--backend {name}` does not use the device `{device}`"))?;
            return Ok(Err(Exit::Usage));
        }
        (Ok(Choice::This(backend)), _) => backend,
        (Ok(Choice::Auto), Some(device)) => device.backend(),
        (Ok(Choice::Auto), None) => best(console)?,
        (Err(e), _) => {
            let e: UnknownBackend = e;
            console.error(e)?;
            return Ok(Err(Exit::Usage));
        }
    };
    let context = args.context().clone();
    // Said once, and before anything is compiled.
    if let Some(api) = backend.api()
        && let Err(error) = context.gpu(api)
    {
        console.print_error(&render_device_error(&error))?;
        return Ok(Err(Exit::Usage));
    }
    if args.strict_device && backend.api().is_none() {
        console
            .error("`--strict-device` is about GPUs, but none runs the program: `--backend` chooses one")?;
        return Ok(Err(Exit::Usage));
    }
    if args.tune.is_some() && backend.api().is_none() {
        console.error("`--tune` is about GPUs, but none runs the program: `--backend` chooses one")?;
        return Ok(Err(Exit::Usage));
    }
    let tune = match args.tune.as_deref().map(TuneFile::read).transpose() {
        Ok(tune) => tune.map(Arc::new),
        Err(error) => {
            console.print_error(&error.render())?;
            return Ok(Err(Exit::Usage));
        }
    };
    let strict_device = args.strict_device;
    Ok(Ok(Options { paint: console.paint(), context, strict_device, tune, ..Options::from(backend) }))
}

/// Compiles the program at `path`, shows its diagnostics, and prints the values that it shows when it runs.
pub fn load(
    console: &Console,
    path: &Path,
    args: &BackendArgs,
) -> Result<std::result::Result<Program, Exit>> {
    let loaded = load_program(console, path, args)?;
    if let Ok(program) = &loaded {
        let sources = program.engine().sources().clone();
        program.engine().observe(move |shown| crate::observe::show(&shown, &sources.place(shown.span)));
    }
    Ok(loaded)
}

fn load_program(
    console: &Console,
    path: &Path,
    args: &BackendArgs,
) -> Result<std::result::Result<Program, Exit>> {
    if let Some(program) = recall(console, path, args) {
        console.print_error(program.warnings())?;
        return Ok(Ok(program));
    }
    let options = match options(console, args)? {
        Ok(options) => Options { observe: true, ..options },
        Err(exit) => return Ok(Err(exit)),
    };
    let backend = options.backend;
    match saying_if_slow(path, || Program::load(path, Options { reuse: true, ..options })) {
        Ok(program) => {
            if program.engine().backend() != backend {
                console.print_error(
                    "note: the program is interpreted, since compiled code cannot show its traces\n",
                )?;
            }
            console.print_error(program.warnings())?;
            Ok(Ok(program))
        }
        // Said already.
        Err(CompileError::Bug(_)) => Ok(Err(Exit::Bug)),
        Err(error) => {
            console.print_error(&error.render(console.paint()))?;
            Ok(Err(exit_for(&error)))
        }
    }
}

/// Does `work`. If it takes long, someone at a terminal is told what it is.
fn saying_if_slow<T>(path: &Path, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // Who cannot be told just waits.
                let _ = writeln!(stderr(), "compiling {} ..", path.display());
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// How a command ends whose program cannot be compiled.
pub fn exit_for(error: &CompileError) -> Exit {
    match error {
        CompileError::Rejected(_) => Exit::Rejected,
        CompileError::Io(_) | CompileError::Device(_) | CompileError::Tune(_) => Exit::Usage,
        CompileError::Bug(_) => Exit::Bug,
    }
}
