//! The command line as `clap` reads it.
//!
//! Here is what every command takes, with the texts of `--help`; commands with much of their own have it beside them. What has a wrong form is refused while it is read, with what was expected (`--threads 0`,
//! `--device cuda:x`); whether a device or a file is there is found out by who needs it. [`BackendArgs`] is shared by all commands that run programs.

use crate::device::DeviceArg;
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use norn::engine::{BACKENDS, Backend, Context, ContextOptions};
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Compiler for purely functional nested data-parallel programs
#[derive(Parser)]
#[command(name = "norn", version, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Colour the diagnostics
    #[arg(long, value_enum, global = true, default_value = "auto", value_name = "WHEN")]
    pub color: ColorChoice,
}

#[derive(Subcommand)]
pub enum Command {
    /// Report errors and warnings
    Check(CheckArgs),
    /// Run an entry point on values from standard input
    Run(RunArgs),
    /// Evaluate expressions as they are typed
    Repl(ReplArgs),
    /// Serve a program by Futhark's server protocol on the standard streams
    Server(ServerArgs),
    /// Make a C library of a program, with the interface that Futhark's libraries have, or an executable
    Build(BuildArgs),
    /// Run the test blocks of programs
    Test(crate::test::TestArgs),
    /// Measure programs on the inputs of their test blocks
    Bench(crate::bench::BenchArgs),
    /// Make pages of programs with Markdown in their comments, with results, plots and pictures
    Literate(crate::literate::LiterateArgs),
    /// Draw a chart that is described in JSON
    Plot(PlotArgs),
    /// Format programs
    Fmt(FmtArgs),
    /// Answer the questions of an editor, by the Language Server Protocol on the standard streams
    Lsp,
    /// Make a folder with a program to begin with
    New(NewArgs),
    /// Use programs of others: packages, as Futhark's package manager has them
    Pkg(crate::pkg::PkgArgs),
    /// Make pages of the documentation comments of programs
    Doc(crate::doc::DocArgs),
    /// Do something again, each time a program changes
    Watch(WatchArgs),
    /// Print a number that stands for a program and what it imports
    Hash(HashArgs),
    /// Print what a shell needs to complete commands and options
    Completions(CompletionsArgs),
    /// Show what the compiler makes of a program
    Dev(DevArgs),
    /// List the devices that can run programs, and measure how fast they copy
    Devices(DevicesArgs),
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ColorChoice {
    /// If the output is a terminal and NO_COLOR is not set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text with excerpts of the source, on standard error
    Human,
    /// One object per diagnostic and line, on standard output
    Json,
}

#[derive(Args)]
pub struct CheckArgs {
    /// The main files of the programs
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Explain a diagnostic code, such as E0301
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    pub explain: Option<String>,

    /// How to print diagnostics
    #[arg(long, value_enum, default_value = "human", value_name = "FORMAT")]
    pub message_format: MessageFormat,

    /// Warn of this, too
    #[arg(short = 'W', long, value_name = "WARNING", value_parser = PossibleValuesParser::new(optional_warnings()))]
    pub warn: Vec<String>,

    /// Treat warnings as errors
    #[arg(short = 'D', long)]
    pub deny_warnings: bool,
}

#[derive(Args)]
pub struct BackendArgs {
    /// What runs the program
    #[arg(long, default_value = "auto", value_name = "BACKEND", value_parser = PossibleValuesParser::new(BACKENDS))]
    pub backend: String,

    /// The device that runs the program: `cpu`, `cuda:0`, `opencl:1`, or a part of the name of an OpenCL device; several of one kind with commas between; `norn devices` lists them
    #[arg(long, value_name = "NAME")]
    pub device: Option<DeviceArg>,

    /// Divide the work of several devices in the same way at each run, as was best when this was first asked for, so that results are the same to the last bit
    #[arg(long)]
    pub reproducible: bool,

    /// How many threads run the program; as many as there are processors if not given
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub threads: Option<NonZero<usize>>,

    /// How much memory the program and its values may use, such as 2G; what the machine can do without if not given
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory_limit: Option<u64>,

    /// Refuse a program of which a GPU would leave more than single numbers to the processor, and say what
    #[arg(long)]
    pub strict_device: bool,

    /// Make the program for a GPU by these numbers, which `norn dev --tunables` lists
    #[arg(long, value_name = "FILE")]
    pub tune: Option<PathBuf>,

    /// Made once for a command.
    #[arg(skip)]
    context: OnceLock<Context>,
}

fn thread_count(text: &str) -> Result<NonZero<usize>, String> {
    let most = norn_runtime::cpu::most_threads();
    match text.parse::<NonZero<usize>>() {
        Ok(count) if count.get() <= most => Ok(count),
        Ok(_) => Err(format!("this machine takes at most {most} threads")),
        Err(_) => Err(format!("expected a number of threads, from 1 to {most}")),
    }
}

fn optional_warnings() -> impl Iterator<Item = &'static str> {
    norn_base::codes::OPTIONAL.iter().map(|(name, _)| *name)
}

fn memory_size(text: &str) -> Result<u64, String> {
    norn_runtime::parse_bytes(text).ok_or_else(|| "expected a number of bytes, such as 500M or 2G".into())
}

/// How many threads `NORN_THREADS` asks for, for commands that others start.
fn usual_threads() -> Option<NonZero<usize>> {
    std::env::var("NORN_THREADS").ok()?.trim().parse().ok()
}

impl BackendArgs {
    /// On what the command runs programs.
    pub fn context(&self) -> &Context {
        self.context.get_or_init(|| {
            let gpu = self.device().as_ref().and_then(DeviceArg::gpu).cloned();
            let others = self.device().map_or(Vec::new(), |device| device.others().to_vec());
            Context::new(ContextOptions {
                threads: self.threads.or_else(usual_threads),
                memory_limit: self.memory_limit,
                gpu,
                others,
                reproducible: self.reproducible,
                cache: None,
            })
        })
    }

    /// The device that was asked for. A part of a name means one that the backend reaches.
    pub fn device(&self) -> Option<DeviceArg> {
        let device = self.device.clone()?;
        Some(if self.backend == "cuda" { device.for_cuda() } else { device })
    }

    /// The same again, for a process that this one starts. The backend is one that is there.
    pub fn to_args(&self, backend: Backend) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec!["--backend".into(), backend.name().into()];
        let mut option = |name: &str, value: Option<String>| {
            args.extend(value.into_iter().flat_map(|value| [name.into(), value.into()]));
        };
        option("--device", self.device.as_ref().map(DeviceArg::to_string));
        option("--threads", self.threads.map(|threads| threads.to_string()));
        option("--memory-limit", self.memory_limit.map(|bytes| bytes.to_string()));
        args.extend(self.reproducible.then(|| "--reproducible".into()));
        args.extend(self.strict_device.then(|| "--strict-device".into()));
        args.extend(self.tune.iter().flat_map(|file| ["--tune".into(), file.into()]));
        args
    }
}

#[derive(Args)]
pub struct RunArgs {
    /// The main file of the program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub backend: BackendArgs,

    /// The entry point to run: without this `main`, or the only one
    #[arg(short, long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Print the results in binary
    #[arg(short, long)]
    pub binary: bool,

    /// Read arguments from a file (.npy, .npz, or values in text or binary) instead of standard input; can be repeated
    #[arg(short, long, value_name = "FILE")]
    pub input: Vec<PathBuf>,

    /// Write the results to a file (.npy, .npz, or values in text, with `-b` in binary)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Say what runs the program, and how long that took
    #[arg(short, long)]
    pub verbose: bool,

    /// Say which kernels the time went to, as a table; with a file also as a page (HTML)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub profile: Option<Option<PathBuf>>,
}

#[derive(Args)]
pub struct ServerArgs {
    /// The main file of the program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args)]
pub struct BuildArgs {
    /// The main file of the program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// What the program runs on: the processor, or a GPU that OpenCL or CUDA reaches
    #[arg(long, default_value = "cpu", value_name = "BACKEND", value_parser = PossibleValuesParser::new(["cpu", "opencl", "cuda"]))]
    pub backend: String,

    /// Make an executable that reads arguments from standard input and writes results to standard output
    #[arg(long)]
    pub executable: bool,

    /// Make a shared library libNAME.so, with NAME.h and NAME.json
    #[arg(long, conflicts_with_all = ["executable", "python"])]
    pub shared: bool,

    /// Make a static library libNAME.a, with NAME.h and NAME.json
    #[arg(long = "static", conflicts_with_all = ["executable", "python", "shared"])]
    pub archive: bool,

    /// Make a Python module NAME.py, with its library libNAME.so
    #[arg(long, conflicts_with = "executable")]
    pub python: bool,

    /// Make the program for a GPU by these numbers, which `norn dev --tunables` lists
    #[arg(long, value_name = "FILE")]
    pub tune: Option<PathBuf>,

    /// Where to write the library, NAME.h, NAME.c and NAME.json, the executable NAME, or the module. By default, FILE without its ending
    #[arg(short, long, value_name = "NAME")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct ReplArgs {
    /// A program whose definitions are there from the start
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub backend: BackendArgs,
}

#[derive(Args)]
pub struct PlotArgs {
    /// The chart; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Where the chart is written as SVG, instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FmtArgs {
    /// The files to format in place, or folders with such files; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change nothing; show which files are not formatted
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
pub struct NewArgs {
    /// The folder, whose name is that of the program
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

#[derive(Args)]
pub struct WatchArgs {
    /// What to do: `check`, `test`, `bench`, `run`, or another command
    pub command: String,

    /// Its programs and options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub arguments: Vec<String>,

    /// End after so many times, for tests
    #[arg(long, hide = true, value_name = "N")]
    pub rounds: Option<usize>,
}

#[derive(Args)]
pub struct HashArgs {
    /// The main files of the programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `norn completions`: from what is written here.
pub fn completions(args: &CompletionsArgs) -> std::io::Result<crate::console::Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut <Cli as clap::CommandFactory>::command(), "norn", &mut script);
    let console = crate::console::Console::new(ColorChoice::Never, MessageFormat::Human);
    console.print(script).map(|()| crate::console::Exit::Ok)
}

#[derive(Args)]
pub struct DevicesArgs {
    /// Measure nothing
    #[arg(long)]
    pub fast: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("stage").required(true))]
pub struct DevArgs {
    /// The main file of the program
    #[arg(value_name = "FILE", required_unless_present = "pass")]
    pub file: Option<PathBuf>,

    /// Show the program after a pass; `list` lists the passes
    #[arg(long, group = "stage", value_name = "PASS")]
    pub pass: Option<String>,

    /// Show the surface tree
    #[arg(long, group = "stage")]
    pub ast: bool,

    /// Show the typed program
    #[arg(long, group = "stage")]
    pub typed: bool,

    /// Show what is fused in each block, and what that saves; of a .nest file too
    #[arg(long, group = "stage")]
    pub fusion: bool,

    /// Show how long each phase of compiling takes
    #[arg(long, group = "stage")]
    pub time: bool,

    /// Show what a GPU does, which versions of nests it chooses from, where its host waits for it, and what is left to the processor, with the reason
    #[arg(long = "where", group = "stage")]
    pub where_: bool,

    /// Also show what stays on the GPU if the processor shares its work
    #[arg(long, requires = "where_")]
    pub shared: bool,

    /// Show the numbers by which the program is made for a GPU, and which `--tune` can set
    #[arg(long, group = "stage")]
    pub tunables: bool,

    /// Set some of these numbers first
    #[arg(long, value_name = "FILE")]
    pub tune: Option<PathBuf>,

    /// Show it as a graph for Graphviz
    #[arg(long, requires = "fusion")]
    pub dot: bool,

    /// Show the imported files too
    #[arg(long, requires = "typed")]
    pub all: bool,

    /// Show the prelude too
    #[arg(long, requires = "typed")]
    pub prelude: bool,

    /// Show the types at which polymorphic variables are used
    #[arg(long, requires = "typed")]
    pub instances: bool,
}
