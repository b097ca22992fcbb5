//! `norn test`: run the test blocks of programs.
//!
//! Each program is tested by a process of its own, this same command with the hidden option `--one`,
//! so that one that crashes or does not end is only one failed test.

mod report;

use crate::args::{BackendArgs, ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use crate::load;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use norn::engine::{Backend, Options};
use norn::testing::property::PropertyOptions;
use norn::testing::{ChildCommand, TestOptions, Twice, collect_programs, run_program, run_suite};
use regex_lite::Regex;
use report::Report;
use std::ffi::OsString;
use std::io::Result;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub struct TestArgs {
    /// Programs, or folders with programs in them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub backend: BackendArgs,

    /// How many programs are tested at a time; as many as there are processors if not given
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,

    /// Seconds for the tests of one program; 0 is for ever
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", allow_negative_numbers = true)]
    pub timeout: f64,

    /// Leave out programs and inputs with this tag; can be repeated
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,

    /// Only programs whose path has a match of this regular expression
    #[arg(long, value_name = "REGEX")]
    pub filter: Option<String>,

    /// Only inputs of this entry point
    #[arg(short, long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Check programs, and run nothing
    #[arg(long)]
    pub check: bool,

    /// Run inputs tagged `compiled` even when they are interpreted
    #[arg(long)]
    pub slow: bool,

    /// Accept every message where an error or a warning is expected
    #[arg(long)]
    pub no_regex: bool,

    /// Leave out structure tests
    #[arg(long)]
    pub no_structure: bool,

    /// How far floats may be from what is expected
    #[arg(long, default_value_t = norn_values::TOLERANCE, value_name = "DISTANCE")]
    pub tolerance: f64,

    /// How many candidates are tried for each property
    #[arg(long, default_value_t = PropertyOptions::default().tests, value_name = "N")]
    pub property_tests: usize,

    /// Where the candidates for properties come from; the same seed gives the same
    #[arg(long, default_value_t = PropertyOptions::default().seed, value_name = "N")]
    pub seed: u64,

    /// Show the tests that passed or were left out, too
    #[arg(short, long)]
    pub verbose: bool,

    /// Test one program in this process, and print what happens as lines of JSON
    #[arg(long, hide = true)]
    pub one: bool,
}

pub fn run(args: &TestArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let Options { backend, context, strict_device, tune, .. } = match load::options(&console, &args.backend)?
    {
        Ok(options) => options,
        Err(exit) => return Ok(exit),
    };
    let options = TestOptions {
        backend,
        context,
        quick: false,
        strict_device,
        tune,
        improve: false,
        exclude: args.exclude.clone(),
        entry: args.entry.clone(),
        check_only: args.check,
        slow: args.slow,
        match_messages: !args.no_regex,
        structure: !args.no_structure,
        observe: false,
        twice: Twice::None,
        tolerance: args.tolerance,
        property: PropertyOptions {
            tests: args.property_tests,
            seed: args.seed,
            ..PropertyOptions::default()
        },
    };
    match &args.paths[..] {
        [path] if args.one => test_one(&console, path, &options),
        _ => test_all(&console, args, backend, color),
    }
}

fn test_one(console: &Console, path: &Path, options: &TestOptions) -> Result<Exit> {
    // Who started this process ends it with its group.
    norn_runtime::process::share_group();
    let mut written = Ok(());
    run_program(path, options, &mut |event| {
        if written.is_ok() {
            written = console.print(event.to_line() + "\n");
        }
    });
    written.map(|()| Exit::Ok)
}

fn test_all(console: &Console, args: &TestArgs, backend: Backend, color: ColorChoice) -> Result<Exit> {
    let (programs, child, timeout) = match prepare(args, backend) {
        Ok(prepared) => prepared,
        Err(message) => {
            console.error(message)?;
            return Ok(Exit::Usage);
        }
    };
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
    // It is drawn on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(programs.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {bar:40} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    let mut report = Report::new(color, args.verbose);
    let mut written = Ok(());
    let progress = |program: &norn::testing::ProgramReport| {
        bar.set_message(program.path.to_string_lossy().into_owned());
        bar.inc(1);
    };
    run_suite(&programs, &child, jobs, timeout, &progress, &mut |program| {
        let text = report.add(&program);
        if !text.is_empty() && written.is_ok() {
            written = bar.suspend(|| console.print(text));
        }
    });
    bar.finish_and_clear();
    written?;
    console.print(report.summary())?;
    Ok(if report.has_failures() { Exit::Rejected } else { Exit::Ok })
}

/// The programs, how to test one, and for how long.
fn prepare(
    args: &TestArgs,
    backend: Backend,
) -> std::result::Result<(Vec<PathBuf>, ChildCommand, Option<Duration>), String> {
    let mut programs = collect_programs(&args.paths).map_err(|e| e.to_string())?;
    if let Some(filter) = &args.filter {
        let filter = Regex::new(filter).map_err(|e| format!("`{filter}` is no regular expression: {e}"))?;
        programs.retain(|path| filter.is_match(&path.to_string_lossy()));
    }
    if programs.is_empty() {
        return Err("there are no programs to be tested".into());
    }
    let timeout = match args.timeout {
        0.0 => None,
        seconds => Some(
            Duration::try_from_secs_f64(seconds).map_err(|_| format!("{seconds} is no number of seconds"))?,
        ),
    };
    let command =
        std::env::current_exe().map_err(|e| format!("this command cannot be started again: {e}"))?;
    Ok((programs, ChildCommand { command, args: child_args(args, backend) }, timeout))
}

/// The options that the process for one program needs; its path comes behind them.
fn child_args(args: &TestArgs, backend: Backend) -> Vec<OsString> {
    let mut child: Vec<OsString> = ["test", "--one"].map(OsString::from).into();
    child.extend(args.backend.to_args(backend));
    let mut option = |name: &str, value: String| child.extend([name.into(), value.into()]);
    args.exclude.iter().for_each(|tag| option("--exclude", tag.clone()));
    args.entry.iter().for_each(|entry| option("--entry", entry.clone()));
    option("--tolerance", args.tolerance.to_string());
    option("--property-tests", args.property_tests.to_string());
    option("--seed", args.seed.to_string());
    let flags = [
        ("--check", args.check),
        ("--slow", args.slow),
        ("--no-regex", args.no_regex),
        ("--no-structure", args.no_structure),
    ];
    child.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| OsString::from(flag)));
    child.push("--".into());
    child
}
