//! The `norn` command.
//!
//! Exit codes: 0 all is well, 1 the program was found faulty, 2 the program failed while running,
//! 3 wrong usage or an input or output error, 101 a bug in norn, 130 interrupted by the user.

#![forbid(unsafe_code)]

mod args;
mod bench;
mod build;
mod check;
mod console;
mod dev;
mod device;
mod doc;
mod explain;
mod fmt;
mod hash;
mod interrupt;
mod literate;
mod load;
mod lsp;
mod new;
mod observe;
mod pkg;
mod plot;
mod programs;
mod repl;
mod run;
mod server;
mod test;
mod watch;

use args::{Cli, Command};
use clap::Parser;
use console::Exit;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report_bug));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let is_lost = e.print().is_err() || norn_runtime::stdout_was_closed();
            let exit = if e.use_stderr() || is_lost { Exit::Usage } else { Exit::Ok };
            return exit.into();
        }
    };
    interrupt::handle();
    norn::with_large_stack("norn", || run(&cli)).into()
}

fn run(cli: &Cli) -> Exit {
    let outcome = match &cli.command {
        Command::Check(args) => check::run(args, cli.color),
        Command::Run(args) => run::run(args, cli.color),
        Command::Repl(args) => repl::run(args, cli.color),
        Command::Server(args) => server::run(args, cli.color),
        Command::Build(args) => build::run(args, cli.color),
        Command::Test(args) => test::run(args, cli.color),
        Command::Bench(args) => bench::run(args, cli.color),
        Command::Literate(args) => literate::run(args, cli.color),
        Command::Plot(args) => plot::run(args, cli.color),
        Command::Fmt(args) => fmt::run(args, cli.color),
        Command::Lsp => lsp::run(),
        Command::New(args) => new::run(args, cli.color),
        Command::Pkg(args) => pkg::run(args, cli.color),
        Command::Doc(args) => doc::run(args, cli.color),
        Command::Watch(args) => watch::run(args, cli.color),
        Command::Hash(args) => hash::run(args, cli.color),
        Command::Completions(args) => args::completions(args),
        Command::Dev(args) => dev::run(args, cli.color),
        Command::Devices(args) => device::run(args, cli.color),
    };
    outcome.unwrap_or_else(|e| {
        // A reader that has gone away knows that it has not seen everything, and so do those who ask for the exit code.
        if e.kind() == ErrorKind::BrokenPipe {
            return Exit::Usage;
        }
        let _ = writeln!(std::io::stderr(), "error: cannot write the output: {e}");
        Exit::Usage
    })
}

/// Reports that we failed, not the user. The process then ends with code 101.
fn report_bug(panic: &std::panic::PanicHookInfo) {
    let version = env!("CARGO_PKG_VERSION");
    let trace = std::backtrace::Backtrace::capture();
    let _ = writeln!(
        std::io::stderr(),
        "this is a bug in norn {version}: {panic}\n\
         Please report it, with the program that led to it.\n{trace}"
    );
}
