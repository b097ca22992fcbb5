//! Processes of our own command, which tell line by line what they do.
//!
//! What can crash or not end, a program that is tested or measured, runs in one, so that this process
//! lives on and can say what happened.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much of what a process says on standard error is kept.
const KEPT_BYTES: usize = 1 << 16;

/// How to start the process: the program's path is one more argument.
#[derive(Clone, Debug)]
pub struct ChildCommand {
    pub command: PathBuf,
    pub args: Vec<OsString>,
}

/// How a process ended. What it `said` is the beginning of its standard error.
#[derive(Debug)]
pub(crate) enum ChildEnd {
    /// With the reason.
    NotStarted(String),
    /// Its time was over, and it was stopped.
    TimedOut {
        said: String,
    },
    Exited {
        status: String,
        said: String,
    },
}

/// Runs a process to its end or until its time is over. `tell` gets the lines of its standard output.
pub(crate) fn run_child(
    child: &ChildCommand,
    path: &Path,
    timeout: Option<Duration>,
    tell: &mut dyn FnMut(&str),
) -> ChildEnd {
    let spawned = Command::new(&child.command)
        .args(&child.args)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut process = match spawned {
        Ok(process) => process,
        Err(e) => return ChildEnd::NotStarted(e.to_string()),
    };
    let stderr = process.stderr.take().map(|stream| thread::spawn(move || read_some(stream)));
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut is_over = false;
    if let Some(lines) = listen(&mut process) {
        loop {
            match next_line(&lines, deadline) {
                Ok(line) => tell(&line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    is_over = true;
                    break;
                }
            }
        }
    }
    if is_over {
        // It may have ended in this moment, which is as good.
        let _ = process.kill();
    }
    let status = process.wait();
    let said = stderr.and_then(|thread| thread.join().ok()).unwrap_or_default();
    if is_over { ChildEnd::TimedOut { said } } else { ChildEnd::Exited { status: describe(status), said } }
}

/// What the process says, line by line, until it is silent for good.
fn listen(process: &mut Child) -> Option<Receiver<String>> {
    let stdout = process.stdout.take()?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Some(receiver)
}

fn next_line(lines: &Receiver<String>, deadline: Option<Instant>) -> Result<String, RecvTimeoutError> {
    match deadline {
        Some(deadline) => lines.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// The first bytes of a stream as text. The rest is read too, so that its writer can go on.
fn read_some(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = stream.by_ref().take(KEPT_BYTES as u64).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

fn describe(status: std::io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => status.to_string(),
        Err(e) => e.to_string(),
    }
}
