//! Conversations with `norn server`: each `tests/server/NAME.txt`, with the program `NAME.fut` beside it.
//!
//! A line `> ..` is a command, and the lines behind it the answer. `file NAME ..` writes values to a
//! file, in text; `values NAME` reads a file, and the lines behind it are its values. Lines that
//! begin with `--` are comments. Times are written as `N`. `BLESS=1` rewrites the answers.

use crate::transcript;
use libtest_mimic::Trial;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

pub fn conversations() -> Vec<Trial> {
    transcript::conversations("server", answers)
}

fn answers(path: &Path, transcript: &str) -> String {
    let mut conversation = Conversation::start(&path.with_extension("fut"));
    let mut out = String::new();
    for line in transcript.lines() {
        let answer = if let Some(command) = line.strip_prefix("> ") {
            conversation.ask(command)
        } else if let Some(file) = line.strip_prefix("file ") {
            conversation.write_values(file);
            String::new()
        } else if let Some(name) = line.strip_prefix("values ") {
            conversation.read_values(name)
        } else if line.starts_with("--") || line.is_empty() {
            String::new()
        } else {
            continue;
        };
        out += &format!("{line}\n{answer}");
    }
    conversation.end();
    out
}

struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    folder: TempDir,
}

impl Conversation {
    fn start(program: &Path) -> Conversation {
        let folder = TempDir::new().unwrap();
        // Messages name the program as it was given.
        let name = program.file_name().unwrap();
        fs::copy(program, folder.path().join(name)).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_norn"))
            .arg("server")
            .arg(name)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut conversation = Conversation { child, stdin, stdout, folder };
        assert_eq!(conversation.answer(), "%%% OK\n", "{}", program.display());
        conversation
    }

    fn ask(&mut self, command: &str) -> String {
        writeln!(self.stdin.as_mut().unwrap(), "{command}").unwrap();
        self.answer()
    }

    /// The lines up to `%%% OK`.
    fn answer(&mut self) -> String {
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).unwrap() == 0 {
                return answer + "(the server has ended)\n";
            }
            if line.starts_with("runtime: ") {
                line = "runtime: N\n".into();
            }
            answer += &line;
            if line == "%%% OK\n" {
                return answer;
            }
        }
    }

    fn write_values(&self, line: &str) {
        let (name, text) = line.split_once(' ').unwrap_or((line, ""));
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn read_values(&self, name: &str) -> String {
        let bytes = fs::read(self.folder.path().join(name)).unwrap();
        let values = norn_values::read_values(&bytes).unwrap();
        values.iter().map(|value| format!("{value}\n")).collect()
    }

    fn end(mut self) {
        drop(self.stdin.take());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}
