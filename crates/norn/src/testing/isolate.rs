//! One program in a process of its own.
//!
//! The process is this same command, asked to test one program and to print [`Event`]s. Whatever
//! becomes of it, its test is finished when its time is over.

use super::event::{Event, Verdict};
use crate::child::{ChildCommand, ChildEnd, run_child};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What came of the tests of a program.
#[derive(Clone, Debug)]
pub struct ProgramReport {
    pub path: PathBuf,
    /// Each with the words that say which it is. One that was never finished has failed.
    pub tests: Vec<(String, Verdict)>,
    /// What the user should know of all tests.
    pub notes: Vec<String>,
    pub ended: Ended,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Normally,
    /// Its time was over.
    TimedOut,
    Crashed,
}

impl ProgramReport {
    pub fn failed(&self) -> bool {
        self.tests.iter().any(|(_, verdict)| matches!(verdict, Verdict::Failed(_)))
    }

    /// Whether nothing was tested.
    pub fn skipped(&self) -> bool {
        self.tests.iter().all(|(_, verdict)| matches!(verdict, Verdict::Skipped(_)))
    }
}

/// Tests a program. It gets `timeout`, if that is given.
pub(super) fn run_isolated(child: &ChildCommand, path: &Path, timeout: Option<Duration>) -> ProgramReport {
    let mut report =
        ProgramReport { path: path.into(), tests: Vec::new(), notes: Vec::new(), ended: Ended::Normally };
    let mut open: Option<String> = None;
    let mut has_ended = false;
    let end = run_child(child, path, timeout, &mut |line| match Event::from_line(line) {
        Some(Event::Started(what)) => open = Some(what),
        Some(Event::Finished(verdict)) => report.tests.extend(open.take().map(|what| (what, verdict))),
        Some(Event::Noted(note)) => report.notes.push(note),
        Some(Event::Ended) => has_ended = true,
        Some(Event::Shown(_) | Event::Miscounted { .. }) | None => {}
    });
    let (ended, why) = match end {
        ChildEnd::Exited { .. } if has_ended => return report,
        ChildEnd::Exited { status, said } => (Ended::Crashed, format!("It crashed ({status}).\n{said}")),
        ChildEnd::NotStarted(why) => (Ended::Crashed, format!("It cannot be started: {why}.\n")),
        ChildEnd::TimedOut { said } => {
            let seconds = timeout.unwrap_or_default().as_secs_f64();
            (Ended::TimedOut, format!("It did not end within {seconds} s.\n{said}"))
        }
    };
    report.ended = ended;
    report.tests.push((open.unwrap_or_else(|| "the program".into()), Verdict::Failed(why)));
    report
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::time::Instant;

    /// The report about a process that runs this script.
    fn report(script: &str) -> ProgramReport {
        let args = ["-c", script, "sh"].map(OsString::from).to_vec();
        let child = ChildCommand { command: "/bin/sh".into(), args };
        run_isolated(&child, Path::new("a.fut"), Some(Duration::from_millis(500)))
    }

    fn last(report: &ProgramReport) -> (&str, &str) {
        match report.tests.last() {
            Some((what, Verdict::Failed(why))) => (what, why),
            other => panic!("{other:?} has not failed"),
        }
    }

    const START: &str = r#"echo '{"started": "one"}'; echo '{"passed": true}'; echo '{"started": "two"}';"#;

    #[test]
    fn all_tests_are_reported() {
        let report =
            report(&format!(r#"{START} echo noise; echo '{{"skipped": "x"}}'; echo '{{"ended": true}}'"#));
        assert_eq!(report.ended, Ended::Normally);
        let expected = [("one".into(), Verdict::Passed), ("two".into(), Verdict::Skipped("x".into()))];
        assert_eq!(report.tests, expected);
        assert!(!report.failed() && !report.skipped());
    }

    #[test]
    fn a_crash_is_a_failed_test() {
        let crashed = report(&format!("{START} echo dying >&2; kill -9 $$"));
        assert_eq!((crashed.ended, crashed.tests.len()), (Ended::Crashed, 2));
        let (what, why) = last(&crashed);
        assert_eq!(what, "two");
        assert!(why.contains("signal: 9") && why.contains("dying"), "{why}");
        assert_eq!(last(&report("exit 101")).0, "the program");
    }

    #[test]
    fn a_process_that_does_not_end_is_stopped() {
        let start = Instant::now();
        let stopped = report(&format!("{START} exec sleep 60"));
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(stopped.ended, Ended::TimedOut);
        assert_eq!(last(&stopped), ("two", "It did not end within 0.5 s.\n"));
    }

    #[test]
    fn a_command_that_does_not_exist_is_reported() {
        let child = ChildCommand { command: "/nowhere/at/all".into(), args: vec![] };
        let report = run_isolated(&child, Path::new("a.fut"), None);
        assert!(last(&report).1.contains("cannot be started"));
    }
}
