//! Programs run: their test blocks hold.

use crate::Verdict;
use crate::corpus::RepoFile;
use norn::testing::{Event, TestOptions, Verdict as Outcome, run_program};

/// Whether every test in the blocks of a program passes.
pub fn check_blocks(file: &RepoFile) -> Verdict {
    let mut current = String::new();
    let mut failed = String::new();
    let options = TestOptions { slow: true, ..TestOptions::default() };
    run_program(&file.path, &options, &mut |event| match event {
        Event::Started(what) => current = what,
        Event::Finished(Outcome::Failed(why)) => failed += &format!("{current}: {why}\n"),
        Event::Finished(Outcome::Passed | Outcome::Skipped(_)) | Event::Ended => {}
    });
    if failed.is_empty() { Ok(()) } else { Err(failed) }
}
