//! Tests that are files: conversations with the commands, and what the manual shows. Each file is a test of its own, so
//! that all processors are busy; `cargo test -p norn --test files -- part_of_a_path` runs some of them.

mod commands;
mod manual;
mod repl;
mod server;
mod transcript;
mod typed;

use libtest_mimic::{Arguments, Trial, run};

/// Why a test failed, in words.
type Verdict = Result<(), String>;

fn main() {
    // Pages compile for the longest time, so they come first.
    let mut trials = manual::pages();
    trials.extend(commands::conversations());
    trials.extend(server::conversations());
    trials.extend(repl::conversations());
    run(&Arguments::from_args(), trials).exit();
}

/// A test with a name.
fn trial(kind: &str, name: String, test: impl FnOnce() -> Verdict + Send + 'static) -> Trial {
    Trial::test(name, || test().map_err(Into::into)).with_kind(kind)
}
