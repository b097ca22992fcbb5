//! Processes of our own command, which report line by line what they do.
//!
//! What can crash or not end, a program that is tested or measured, runs in one, so that this process
//! lives on and can say what happened.

use norn_runtime::process::Process;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much of a process's standard error is kept.
const KEPT_BYTES: usize = 1 << 16;

/// How long the end of standard error is waited for after a process was stopped. Somebody who has left its group may hold it open.
const GRACE: Duration = Duration::from_secs(1);

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
    /// Its time was over, and it was stopped, with all that it had started.
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
    let mut command = Command::new(&child.command);
    command.args(&child.args).arg(path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = match Process::start(&mut command) {
        Ok(process) => process,
        Err(e) => return ChildEnd::NotStarted(e.to_string()),
    };
    let (stdout, stderr) = match process.child() {
        Some(child) => (child.stdout.take(), child.stderr.take()),
        None => (None, None),
    };
    let stderr = Listener::new(stderr);
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut is_over = false;
    if let Some(lines) = stdout.map(listen) {
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
        process.end();
        return ChildEnd::TimedOut { said: stderr.said(Some(GRACE)) };
    }
    let status = describe(process.wait());
    ChildEnd::Exited { status, said: stderr.said(None) }
}

/// The output of the process, line by line, until it is silent for good.
fn listen(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

fn next_line(lines: &Receiver<String>, deadline: Option<Instant>) -> Result<String, RecvTimeoutError> {
    match deadline {
        Some(deadline) => lines.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

/// Keeps the first bytes of a stream. The rest is read too, so that its writer can go on.
struct Listener {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Closed when the stream has ended.
    end: Receiver<()>,
}

impl Listener {
    fn new(stream: Option<impl Read + Send + 'static>) -> Listener {
        let kept = Arc::<Mutex<Vec<u8>>>::default();
        let (sender, end) = channel();
        if let Some(mut stream) = stream {
            let kept = kept.clone();
            thread::spawn(move || {
                let _open = sender;
                let mut part = [0; 4096];
                while let Ok(count @ 1..) = stream.read(&mut part) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = KEPT_BYTES - kept.len();
                    kept.extend_from_slice(&part[..count.min(room)]);
                }
            });
        }
        Listener { kept, end }
    }

    /// What was kept, when the stream has ended, or so long from now.
    fn said(self, patience: Option<Duration>) -> String {
        match patience {
            Some(patience) => drop(self.end.recv_timeout(patience)),
            None => drop(self.end.recv()),
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

fn describe(status: std::io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => status.to_string(),
        Err(e) => e.to_string(),
    }
}
