//! Tests of the `norn` command, as its users run it.

mod cache;
mod cli;
mod editors;
mod gpu;
mod hostile;
mod library;
mod literate;
mod memory;
mod processes;
mod programs;
#[cfg(unix)]
mod repl;
mod run;
mod streams;
mod terminal;
mod tune;
