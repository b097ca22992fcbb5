//! `norn run`: run an entry point on values from outside.

mod input;
mod output;
mod profile;

use crate::args::{BackendArgs, ColorChoice, MessageFormat, RunArgs};
use crate::console::{Console, Exit};
use crate::interrupt::stoppable;
use crate::load::load;
use norn::engine::{Argument, CallError, Engine, Item, best_backend};
use norn::{Entry, Program};
use norn_exec::CompileTime;
use norn_ir::nest;
use norn_runtime::show_bytes;
use std::io::Result;
use std::path::PathBuf;
use std::time::Duration;

/// The entry point that is run if there are others and none is named.
const MAIN: &str = "main";

pub fn run(args: &RunArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let program = match load(&console, &args.file, &args.backend)? {
        Ok(program) => program,
        Err(exit) => return Ok(exit),
    };
    let engine = program.engine();
    let arguments = choose_entry(&program, args.entry.as_deref()).and_then(|entry| {
        let arguments = arguments(&console, engine, entry.head(), &args.input)?;
        Ok((entry, arguments))
    });
    let (entry, arguments) = match arguments {
        Ok(chosen) => chosen,
        Err(message) => {
            console.error(message)?;
            return Ok(Exit::Usage);
        }
    };
    if args.verbose {
        console.print_error(&describe_backend(engine, &args.backend))?;
    }
    let profiled = args.profile.as_ref().and_then(|_| engine.exec());
    if let Some(exec) = profiled {
        exec.set_profiling(true);
    }
    let arguments: Vec<Argument> = arguments.iter().map(Argument::Item).collect();
    let called = match stoppable(|options| entry.call_for_item(&arguments, options)) {
        Ok(called) => called,
        // Said already.
        Err(CallError::Bug(_)) => return Ok(Exit::Bug),
        Err(e) => {
            let e = engine.run_error(e);
            console.print_error(&e.rendered)?;
            if engine.exec().is_some() && engine.prog().observes() {
                console.print_error(
                    "note: traces of an operator that fails are shown by `--backend interp`\n",
                )?;
            }
            return Ok(if e.cancelled { Exit::Interrupted } else { Exit::Failed });
        }
    };
    if args.verbose {
        console.print_error(&describe_run(engine, called.time))?;
    }
    if let Some(page) = &args.profile
        && let Some(exit) = profile::report(&console, engine, &called, &args.file, page.as_deref())?
    {
        return Ok(exit);
    }
    let results = engine.untuple(called.value);
    if let Some(exec) = engine.exec() {
        // The memory is better used for the results.
        exec.cpu().memory().drop_spare();
    }
    let written = match &args.output {
        None => {
            console.write(|out| output::write(engine, &results, args.binary, out))?;
            Ok(())
        }
        Some(path) => output::write_file(engine, &results, args.binary, path),
    };
    match written {
        Ok(()) => Ok(Exit::Ok),
        Err(message) => {
            console.error(message)?;
            Ok(Exit::Usage)
        }
    }
}

/// What runs the program, why nothing better does, and what it took to make it ready.
fn describe_backend(engine: &Engine, args: &BackendArgs) -> String {
    let mut text = format!("backend: {}\n", engine.backend().name());
    if args.backend == "auto" {
        for (backend, why) in best_backend(args.context()).passed_over {
            text += &format!("not {}: {why}\n", backend.name());
        }
    }
    let Some(exec) = engine.exec() else { return text };
    let taken = |compiler: &str, time: Option<Duration>| {
        time.map(|time| format!("compiled by {compiler} in {:.3} s", time.as_secs_f64()))
    };
    let CompileTime { library, kernels } = exec.compile_time();
    let mut compiled: Vec<String> = taken("the C compiler", library).into_iter().collect();
    if let Some(gpu) = exec.gpu() {
        text += &format!("GPU: {}\n", gpu.describe());
        compiled.extend(taken(&format!("that of {}", gpu.facts().api.name()), kernels));
    } else if engine.backend().api().is_some() {
        text += "GPU: none, since the program has nothing for it to do\n";
    }
    text += &format!("processor: {}\n", exec.cpu().describe());
    let compiled = if compiled.is_empty() { "compiled before".to_string() } else { compiled.join(", ") };
    text + &format!("program: {compiled}\n")
}

/// What the run took.
fn describe_run(engine: &Engine, time: Duration) -> String {
    let mut text = format!("run time: {:.3} ms\n", time.as_secs_f64() * 1000.0);
    let Some(exec) = engine.exec() else { return text };
    text += &format!("memory: at most {} at a time\n", show_bytes(exec.cpu().memory().peak()));
    if let Some(gpu) = exec.gpu() {
        text += &format!("memory of the GPU: at most {} at a time\n", show_bytes(gpu.memory_peak()));
    }
    text
}

/// The entry point that is meant: the one that was named, else `main`, else the only one. The error lists which there are.
fn choose_entry(program: &Program, name: Option<&str>) -> std::result::Result<Entry, String> {
    let entries: Vec<Entry> = program.entries().collect();
    match (program.entry(name.unwrap_or(MAIN)), name, &entries[..]) {
        (Some(entry), _, _) => Ok(entry),
        (None, None, [only]) => Ok(only.clone()),
        (None, _, []) => Err(match name {
            Some(name) => format!("there is no entry point `{name}`, and no other either"),
            None => "the program has no entry point; `entry main = ..` defines one".to_string(),
        }),
        (None, _, entries) => {
            let names: Vec<String> = entries.iter().map(|entry| format!("`{}`", entry.name())).collect();
            let names = names.join(", ");
            Err(match name {
                Some(name) => format!("there is no entry point `{name}`; the entry points are {names}"),
                None => format!("choose an entry point with `-e`: {names}"),
            })
        }
    }
}

fn arguments(
    console: &Console,
    engine: &Engine,
    entry: &nest::Entry,
    files: &[PathBuf],
) -> std::result::Result<Vec<Item>, String> {
    for param in &entry.params {
        if !engine.has_text(engine.item_type(param.ty)) {
            return Err(format!(
                "the parameter `{}` of the entry point `{}` has the type {}, whose values only programs can make; \
                 `norn server` can pass them on",
                param.name,
                entry.name,
                engine.iface(param.ty).name
            ));
        }
    }
    input::read_arguments(console, engine, entry, files)
}
