//! The command line as `clap` reads it.

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

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
    /// Report the faults of programs
    Check(CheckArgs),
    /// Format programs
    Fmt(FmtArgs),
    /// Show what the compiler makes of a program
    Dev(DevArgs),
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

    /// Treat warnings as faults
    #[arg(short = 'D', long)]
    pub deny_warnings: bool,
}

#[derive(Args)]
pub struct FmtArgs {
    /// The files to format in place; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Change nothing; show which files are not formatted
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("stage").required(true))]
pub struct DevArgs {
    /// The main file of the program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show the surface tree
    #[arg(long, group = "stage")]
    pub ast: bool,

    /// Show the typed program
    #[arg(long, group = "stage")]
    pub typed: bool,

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
