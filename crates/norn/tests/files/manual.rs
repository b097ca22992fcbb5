//! The commands that the manual shows: blocks fenced as `console` in `docs/src` and README.md.
//!
//! A line that begins with `$ ` is a command, run by a shell in a folder of its page; what follows is what
//! it prints, and its exit code unless that is 0. After `$ norn repl` the lines with a prompt are typed. The
//! folder holds the files that the page shows before: a block fenced as `norn NAME`, `norn-fail CODE NAME`,
//! `python NAME` or `text NAME` is the file NAME. Nothing else is there: the home folder is empty, too, and no GPU is shown.
//!
//! Times, amounts and numbers of runs differ from run to run, so they count as equal. `BLESS=1` rewrites answers that
//! differ otherwise. Where Python or its packages are not there, a page ends at its first `python3`; without a C compiler nothing is run.

use crate::transcript::expect;
use crate::trial;
use crate::typed::typed;
use libtest_mimic::Trial;
use regex_lite::Regex;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What pages compile is kept from one run of the tests to the next.
const COMPILED: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/manual");

/// A test for every page that has commands, the longest first.
pub fn pages() -> Vec<Trial> {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("note: there is no C compiler, so no command of the manual is run");
        return Vec::new();
    }
    let python = find_python();
    if python.is_none() {
        eprintln!(
            "note: Python's packages numpy and futhark-server are not there: pages end where they are used"
        );
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut paths = vec![root.join("README.md")];
    add_pages(&root.join("docs/src"), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (text.matches("\n$ ").count(), path, text)
    };
    let mut pages: Vec<(usize, PathBuf, String)> = paths.into_iter().map(read).collect();
    pages.retain(|(_, _, text)| text.contains("```console"));
    pages.sort_by_key(|(commands, ..)| std::cmp::Reverse(*commands));
    let test = |(_, path, text): (usize, PathBuf, String)| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let python = python.clone();
        trial("manual", name, move || expect(&path, &text, &Page::new(python).follow(&text)))
    };
    pages.into_iter().map(test).collect()
}

/// The folder of a Python that has what the manual uses. What `python3` is may depend on the home folder, which pages do not have.
fn find_python() -> Option<PathBuf> {
    let script = "import numpy, futhark_server, sys; print(sys.executable)";
    let output = Command::new("python3").args(["-c", script]).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    if output.status.success() { path.parent().map(Path::to_path_buf) } else { None }
}

fn add_pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// The folder in which the commands of a page run.
struct Page {
    folder: tempfile::TempDir,
    python: Option<PathBuf>,
    /// A command could not be run, on whose files others may depend.
    has_ended: bool,
}

impl Page {
    fn new(python: Option<PathBuf>) -> Page {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Page { folder, python, has_ended: false }
    }

    /// The page with the answers that its commands give.
    fn follow(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut lines = text.split_inclusive('\n');
        while let Some(line) = lines.next() {
            out += line;
            let Some(info) = line.strip_prefix("```") else { continue };
            let block: String = lines.by_ref().take_while(|line| line.trim_end() != "```").collect();
            match *info.split_whitespace().collect::<Vec<_>>() {
                ["console"] => out += &self.converse(&block),
                ["norn" | "norn-file" | "python" | "text", name] | ["norn-fail", _, name] => {
                    fs::write(self.folder.path().join("work").join(name), &block).unwrap();
                    out += &block;
                }
                _ => out += &block,
            }
            out += "```\n";
        }
        out
    }

    /// A block with commands, as it goes. What is written stays where only amounts differ.
    fn converse(&mut self, block: &str) -> String {
        let mut out = String::new();
        let mut rest = block;
        while !rest.is_empty() {
            let end = rest[1..].find("\n$ ").map_or(rest.len(), |at| at + 2);
            let (exchange, others) = rest.split_at(end);
            rest = others;
            let command = exchange.lines().next().and_then(|line| line.strip_prefix("$ "));
            let command = command.expect("a console block begins with `$ `");
            self.has_ended |= command.contains("python3") && self.python.is_none();
            if self.has_ended {
                out += exchange;
                continue;
            }
            let found = self.answer(command, exchange);
            // A profile is ordered by times.
            let compared = if command.contains("--profile") { sorted_lines } else { without_amounts };
            out += if compared(&found) == compared(exchange) { exchange } else { &found };
        }
        out
    }

    /// A command and what it prints.
    fn answer(&self, command: &str, exchange: &str) -> String {
        let norn = Path::new(env!("CARGO_BIN_EXE_norn")).parent().map(Path::to_path_buf);
        let others = std::env::var_os("PATH").unwrap_or_default();
        let folders = norn.into_iter().chain(self.python.clone()).chain(std::env::split_paths(&others));
        let path = std::env::join_paths(folders).unwrap();
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.folder.path().join("work"))
            .env("PATH", path)
            .env("HOME", self.folder.path().join("home"))
            .env("CUDA_VISIBLE_DEVICES", "")
            .env_remove("XDG_CACHE_HOME")
            .env("NORN_CACHE", COMPILED)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input: String = exchange.lines().filter_map(typed).map(|line| format!("{line}\n")).collect();
        // A command that reads nothing may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let mut out = format!("$ {command}\n{}", String::from_utf8(output.stdout).unwrap());
        match output.status.code() {
            Some(0) => {}
            code => out += &format!("exit code {}\n", code.map_or("none".into(), |code| code.to_string())),
        }
        out
    }
}

/// What a measurement prints, without what differs from run to run.
fn without_amounts(text: &str) -> String {
    let amount = Regex::new(
        r"\b\d[\d.]* (ns|us|ms|s|B|KiB|MiB|GiB|bytes|runs?|%|GB/s)( |\b)|\b\d\.\d\d +(faster|slower)",
    );
    let tidy = amount.unwrap().replace_all(text, "AMOUNT ").into_owned();
    tidy.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

fn sorted_lines(text: &str) -> String {
    let tidy = without_amounts(text);
    let mut lines: Vec<&str> = tidy.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}
