//! Runs the real binary.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a run of the command left behind.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

/// A folder that goes away with the test; commands run in it.
pub struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub fn new() -> Workplace {
        Workplace { folder: TempDir::new().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn norn<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        self.norn_with_input(args, "")
    }

    pub fn norn_with_input<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, input: &str) -> Run {
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_norn"))
            .args(args)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The command need not read it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            took: start.elapsed(),
        }
    }
}
