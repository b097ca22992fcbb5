//! One program in a process of its own.
//!
//! The process is this same command, asked to test one program and to print [`Event`]s. Whatever
//! becomes of it, its test is finished when its time is over.

use super::event::{Event, Verdict};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much of what a process says is kept.
const KEPT_BYTES: usize = 1 << 16;

/// How to start the process: the program's path is one more argument.
#[derive(Clone, Debug)]
pub struct ChildCommand {
    pub command: PathBuf,
    pub args: Vec<OsString>,
}

/// What came of the tests of a program.
#[derive(Clone, Debug)]
pub struct ProgramReport {
    pub path: PathBuf,
    /// Each with the words that say which it is. One that was never finished has failed.
    pub tests: Vec<(String, Verdict)>,
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
    let mut report = ProgramReport { path: path.into(), tests: Vec::new(), ended: Ended::Normally };
    let spawned = Command::new(&child.command)
        .args(&child.args)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut process = match spawned {
        Ok(process) => process,
        Err(e) => {
            report.ended = Ended::Crashed;
            report
                .tests
                .push(("the program".into(), Verdict::Failed(format!("It cannot be started: {e}.\n"))));
            return report;
        }
    };
    let stderr = process.stderr.take().map(|stream| thread::spawn(move || read_some(stream)));
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut open: Option<String> = None;
    let mut has_ended = false;
    if let Some(events) = listen(&mut process) {
        loop {
            match next_event(&events, deadline) {
                Ok(Event::Started(what)) => open = Some(what),
                Ok(Event::Finished(verdict)) => report.tests.extend(open.take().map(|what| (what, verdict))),
                Ok(Event::Ended) => has_ended = true,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    report.ended = Ended::TimedOut;
                    break;
                }
            }
        }
    }
    if report.ended == Ended::TimedOut {
        // It may have ended in this moment, which is as good.
        let _ = process.kill();
    }
    let status = process.wait();
    let said = stderr.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let why = match report.ended {
        Ended::TimedOut => {
            let seconds = timeout.unwrap_or_default().as_secs_f64();
            format!("It did not end within {seconds} s.\n{said}")
        }
        Ended::Normally if has_ended => return report,
        Ended::Normally | Ended::Crashed => {
            report.ended = Ended::Crashed;
            format!("It crashed ({}).\n{said}", describe_status(status))
        }
    };
    report.tests.push((open.unwrap_or_else(|| "the program".into()), Verdict::Failed(why)));
    report
}

/// What the process says, line by line, until it is silent for good.
fn listen(process: &mut Child) -> Option<Receiver<Event>> {
    let stdout = process.stdout.take()?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        for event in lines.filter_map(|line| Event::from_line(&line)) {
            if sender.send(event).is_err() {
                break;
            }
        }
    });
    Some(receiver)
}

fn next_event(events: &Receiver<Event>, deadline: Option<Instant>) -> Result<Event, RecvTimeoutError> {
    match deadline {
        Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// The first bytes of a stream as text. The rest is read too, so that its writer can go on.
fn read_some(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = stream.by_ref().take(KEPT_BYTES as u64).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

fn describe_status(status: std::io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => status.to_string(),
        Err(e) => e.to_string(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

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
    fn all_tests_are_told() {
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
    fn a_command_that_is_not_there_is_told() {
        let child = ChildCommand { command: "/nowhere/at/all".into(), args: vec![] };
        let report = run_isolated(&child, Path::new("a.fut"), None);
        assert!(last(&report).1.contains("cannot be started"));
    }
}
