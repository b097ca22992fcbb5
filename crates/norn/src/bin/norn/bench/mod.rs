//! `norn bench`: measure programs on the inputs of their test blocks, or compare two measurements.
//!
//! Each program is measured by a process of its own, this same command with the hidden option `--one`.

mod report;

use crate::args::{BackendArgs, ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use crate::load;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use norn::ChildCommand;
use norn::bench::compare::compare;
use norn::bench::{BenchOptions, Event, Plan, Results, bench_program, run_isolated};
use norn::engine::{Backend, Options};
use norn::testing::collect_programs;
use report::Report;
use std::ffi::OsString;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub struct BenchArgs {
    /// Programs, or folders with programs in them
    #[arg(required_unless_present = "compare", value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub backend: BackendArgs,

    /// Only inputs of this entry point
    #[arg(short, long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Measure exactly so many runs; as many as the time needs to be known if not given
    #[arg(short, long, value_name = "N")]
    pub runs: Option<usize>,

    /// Seconds to run before times count, though never less than once
    #[arg(long, default_value_t = Plan::default().warm_up.as_secs_f64(), value_name = "SECONDS")]
    pub warm_up: f64,

    /// Seconds to measure at least
    #[arg(long, default_value_t = Plan::default().least_time.as_secs_f64(), value_name = "SECONDS")]
    pub min_time: f64,

    /// Seconds to measure at most, though never less than one run
    #[arg(long, default_value_t = Plan::default().budget.as_secs_f64(), value_name = "SECONDS")]
    pub max_time: f64,

    /// The percentage around the median that the 95 % confidence interval should be within
    #[arg(long, default_value_t = Plan::default().precision * 100.0, value_name = "PERCENT")]
    pub precision: f64,

    /// Seconds for one program; 0 is for ever
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS", allow_negative_numbers = true)]
    pub timeout: f64,

    /// Leave out programs and inputs with this tag; can be repeated
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,

    /// How far floats may be from what is expected
    #[arg(long, default_value_t = norn_values::TOLERANCE, value_name = "DISTANCE")]
    pub tolerance: f64,

    /// Count copies to and from the GPU, too: arguments and results are in the host's memory
    #[arg(long)]
    pub copies: bool,

    /// Run each input once more, and tell which kernels its time goes to
    #[arg(long)]
    pub profile: bool,

    /// Write the times of all runs to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Measure nothing; compare what two runs with `--json` have written
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = ["paths", "json"])]
    pub compare: Option<Vec<PathBuf>>,

    /// Measure one program in this process, and print what happens as lines of JSON
    #[arg(long, hide = true)]
    pub one: bool,
}

pub fn run(args: &BenchArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let outcome = match (&args.compare, &args.paths[..]) {
        (Some(files), _) => compare_files(&console, files),
        (None, [path]) if args.one => bench_one(&console, path, args),
        (None, _) => bench_all(&console, args),
    };
    match outcome {
        Err(Stop::Output(e)) => Err(e),
        Err(Stop::Usage(message)) => {
            console.error(message)?;
            Ok(Exit::Usage)
        }
        Err(Stop::Reported(exit)) | Ok(exit) => Ok(exit),
    }
}

/// Why the command ends early.
enum Stop {
    /// The output cannot be written.
    Output(std::io::Error),
    /// A sentence about what the user asked for.
    Usage(String),
    /// The user knows already.
    Reported(Exit),
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Stop {
        Stop::Output(error)
    }
}

type Outcome = std::result::Result<Exit, Stop>;

fn compare_files(console: &Console, files: &[PathBuf]) -> Outcome {
    let read = |path: &PathBuf| {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|e| Stop::Usage(format!("`{name}` cannot be read: {e}")))?;
        Results::from_json(&text).map_err(|e| Stop::Usage(format!("`{name}` holds no results: {e}")))
    };
    let results = files.iter().map(read).collect::<std::result::Result<Vec<Results>, Stop>>()?;
    if let [before, after] = &results[..] {
        console.print(compare(before, after))?;
    }
    Ok(Exit::Ok)
}

fn bench_one(console: &Console, path: &Path, args: &BenchArgs) -> Outcome {
    // Who started this process ends it with its group.
    norn_runtime::process::share_group();
    let options = options(console, args)?;
    let mut written = Ok(());
    bench_program(path, &options, &mut |event| {
        if written.is_ok() {
            written = console.print(event.to_line() + "\n");
        }
    });
    written?;
    Ok(Exit::Ok)
}

fn bench_all(console: &Console, args: &BenchArgs) -> Outcome {
    let options = options(console, args)?;
    let programs = collect_programs(&args.paths).map_err(|e| Stop::Usage(e.to_string()))?;
    let timeout = Some(seconds(args.timeout)?).filter(|timeout| !timeout.is_zero());
    let command = std::env::current_exe()
        .map_err(|e| Stop::Usage(format!("this command cannot be started again: {e}")))?;
    let child = ChildCommand { command, args: child_args(args, options.backend) };

    let mut report = Report::new(options.backend);
    for path in &programs {
        let mut written = Ok(());
        let bar = progress_bar();
        run_isolated(&child, path, timeout, &mut |event| {
            match &event {
                Event::Started { entry, data_set } => {
                    bar.set_position(0);
                    bar.set_message(format!("{}:{entry}, {data_set}", path.display()));
                }
                Event::Progress(share) => bar.set_position((share * 1000.0) as u64),
                Event::Unfit(_)
                | Event::Noted(_)
                | Event::Finished(_)
                | Event::Profiled(_)
                | Event::Ended => {}
            }
            let text = report.add(path, event);
            if !text.is_empty() && written.is_ok() {
                written = bar.suspend(|| console.print(text));
            }
        });
        bar.finish_and_clear();
        written?;
    }
    if report.is_empty() {
        return Err(Stop::Usage("there is nothing to be measured".into()));
    }
    if let Some(path) = &args.json {
        std::fs::write(path, report.results.to_json())
            .map_err(|e| Stop::Usage(format!("`{}` cannot be written: {e}", path.display())))?;
    }
    Ok(if report.has_failures { Exit::Rejected } else { Exit::Ok })
}

/// It is drawn on standard error, and only if that is a terminal.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(1000);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn options(console: &Console, args: &BenchArgs) -> std::result::Result<BenchOptions, Stop> {
    let Options { backend, context, strict_device, tune, .. } =
        load::options(console, &args.backend)?.map_err(Stop::Reported)?;
    let plan = Plan {
        runs: args.runs,
        warm_up: seconds(args.warm_up)?,
        least_time: seconds(args.min_time)?,
        budget: seconds(args.max_time)?,
        precision: args.precision / 100.0,
        ..Plan::default()
    };
    let (entry, exclude) = (args.entry.clone(), args.exclude.clone());
    Ok(BenchOptions {
        backend,
        context,
        strict_device,
        tune,
        entry,
        exclude,
        tolerance: args.tolerance,
        with_copies: args.copies,
        plan,
        profile: args.profile,
    })
}

fn seconds(number: f64) -> std::result::Result<Duration, Stop> {
    Duration::try_from_secs_f64(number).map_err(|_| Stop::Usage(format!("{number} is no number of seconds")))
}

/// The options that the process for one program needs; its path comes behind them.
fn child_args(args: &BenchArgs, backend: Backend) -> Vec<OsString> {
    let mut child: Vec<OsString> = ["bench", "--one"].map(OsString::from).into();
    child.extend(args.backend.to_args(backend));
    let mut option = |name: &str, value: String| child.extend([name.into(), value.into()]);
    args.entry.iter().for_each(|entry| option("--entry", entry.clone()));
    args.runs.iter().for_each(|runs| option("--runs", runs.to_string()));
    args.exclude.iter().for_each(|tag| option("--exclude", tag.clone()));
    option("--warm-up", args.warm_up.to_string());
    option("--min-time", args.min_time.to_string());
    option("--max-time", args.max_time.to_string());
    option("--precision", args.precision.to_string());
    option("--tolerance", args.tolerance.to_string());
    child.extend(args.copies.then(|| "--copies".into()));
    child.extend(args.profile.then(|| "--profile".into()));
    child.push("--".into());
    child
}
