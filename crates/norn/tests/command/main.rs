//! Tests of the `norn` command, as its users run it.

mod cache;
mod cli;
mod doc;
mod editors;
mod gpu;
mod hostile;
mod library;
mod literate;
mod memory;
mod nulls;
mod pkg;
mod processes;
mod programs;
#[cfg(unix)]
mod repl;
mod run;
mod streams;
mod terminal;
mod tools;
mod tree_sitter;
mod tune;
