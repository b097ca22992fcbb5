//! Tests of the `norn` command, as its users run it.

mod cli;
mod gpu;
mod hostile;
mod literate;
mod programs;
mod run;
