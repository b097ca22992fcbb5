//! Tests of the `norn` command, as its users run it.

mod cli;
mod hostile;
mod programs;
mod run;
