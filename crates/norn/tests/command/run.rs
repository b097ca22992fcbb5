//! Runs the real binary.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A command that is not done by then is stopped.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a run of the command left behind.
pub struct Run {
    /// None if it was stopped, or crashed.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

/// A folder that goes away with the test; commands run in it.
pub struct Workplace {
    folder: TempDir,
    /// For the standard streams, so that they cannot block.
    streams: TempDir,
}

impl Workplace {
    pub fn new() -> Workplace {
        Workplace { folder: TempDir::new().unwrap(), streams: TempDir::new().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn norn<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        self.norn_with_input(args, "")
    }

    pub fn norn_with_input<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, input: &str) -> Run {
        self.run(Command::new(env!("CARGO_BIN_EXE_norn")).args(args), input)
    }

    /// As if no other program were installed.
    pub fn norn_without_tools<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        self.run(Command::new(env!("CARGO_BIN_EXE_norn")).args(args).env("PATH", self.streams.path()), "")
    }

    pub fn run(&self, command: &mut Command, input: &str) -> Run {
        let [stdin, stdout, stderr] = ["in", "out", "err"].map(|name| self.streams.path().join(name));
        fs::write(&stdin, input).unwrap();
        let start = Instant::now();
        let mut child = command
            .current_dir(self.folder.path())
            .stdin(File::open(&stdin).unwrap())
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap())
            .spawn()
            .unwrap();
        let code = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None if start.elapsed() < PATIENCE => sleep(Duration::from_millis(1)),
                None => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    break None;
                }
            }
        };
        let took = start.elapsed();
        let text = |path| fs::read_to_string(path).unwrap();
        Run { code, stdout: text(stdout), stderr: text(stderr), took }
    }
}
