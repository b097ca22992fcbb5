//! The programs in documents.
//!
//! A block fenced as `norn` is a program without an error whose test blocks hold, one fenced as
//! `norn-fail CODE` has errors of that code only (a name may follow). Each program is the file `main.fut`; one fenced as
//! `norn NAME` is the file NAME, which the blocks after it may import, and so is `norn-file NAME`, which need not
//! be a program. Blocks with any other fence are not looked at: commands (`console`) are run by
//! `crates/norn/tests/manual.rs`.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::program::{InMemory, check_text, check_text_for};
use crate::run::check_blocks;
use norn::testing::Subject;
use std::collections::BTreeSet;
use std::fs;

/// A fenced block of a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// What follows the opening fence.
    pub info: String,
    pub text: String,
    /// Of the opening fence, from 1.
    pub line: usize,
    /// The paragraph above the opening fence.
    pub above: String,
}

pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut above = String::new();
    for (i, line) in markdown.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let above = std::mem::take(&mut above);
                open = Some(Block { info: info.trim().into(), text: String::new(), line: i + 1, above })
            }
            // An empty line ends a paragraph where another begins.
            (None, None) => {
                if above.ends_with("\n\n") && !line.is_empty() {
                    above.clear();
                }
                above.push_str(line);
                above.push('\n');
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    found
}

impl Block {
    /// The name of the file that the block is, if the fence gives one.
    fn file_name(&self) -> Option<&str> {
        match *self.info.split_whitespace().collect::<Vec<_>>() {
            ["norn" | "norn-file" | "python" | "text", name] | ["norn-fail", _, name] => Some(name),
            _ => None,
        }
    }
}

/// A page does not show what stands in a fence, so the name of a file must be in the paragraph above it.
fn check_name(block: &Block) -> Verdict {
    match block.file_name() {
        Some(name) if !block.above.contains(&format!("`{name}`")) => {
            Err(format!("the paragraph above it should name the file `{name}`"))
        }
        Some(_) | None => Ok(()),
    }
}

/// What a block says of itself.
enum Claim<'a> {
    /// A program of this name.
    Faultless(&'a str),
    Faults(&'a str),
    File(&'a str),
}

/// The name of a program that has none.
const MAIN: &str = "main.fut";

fn claim(block: &Block) -> Option<Claim<'_>> {
    let (kind, rest) = block.info.split_once(' ').unwrap_or((&block.info, ""));
    match kind {
        "norn" => Some(Claim::Faultless(if rest.is_empty() { MAIN } else { rest.trim() })),
        "norn-fail" => Some(Claim::Faults(rest.split(' ').next().unwrap_or_default())),
        "norn-file" => Some(Claim::File(rest.trim())),
        _ => None,
    }
}

/// Checks every block of a document.
pub fn check_document(markdown: &str) -> Verdict {
    let mut files = InMemory::default();
    let mut complaints = Vec::new();
    for block in blocks(markdown) {
        let place = |why| format!("the block at line {}: {why}", block.line);
        complaints.extend(check_name(&block).map_err(place).err());
        let verdict = match claim(&block) {
            None => Ok(()),
            Some(Claim::File(name)) => {
                files.0.insert(name.into(), block.text.clone());
                Ok(())
            }
            Some(Claim::Faultless(name)) => {
                files.0.insert(name.into(), block.text.clone());
                check_program(name, &block.text, &mut files)
            }
            Some(Claim::Faults(code)) => {
                files.0.insert(MAIN.into(), block.text.clone());
                check_errors(code, &block.text, &mut files)
            }
        };
        complaints.extend(verdict.map_err(place).err());
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Checks that a program has no error, and that its test blocks hold, if it has any.
fn check_program(name: &str, text: &str, files: &mut InMemory) -> Verdict {
    let report = check_text(name, text, files);
    if !report.codes().is_empty() {
        return Err(format!("it should have no fault\n{}", report.rendered()));
    }
    if !text.lines().any(|line| line == "-- ==") {
        return Ok(());
    }
    // Programs are run from files.
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (name, text) in &files.0 {
        fs::write(folder.path().join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let file = RepoFile { name: name.into(), path: folder.path().join(name) };
    check_blocks(&file, &Subject::new(&file.path))
}

fn check_errors(code: &str, text: &str, files: &mut InMemory) -> Verdict {
    let report = check_text_for(code, MAIN, text, files).complete(code);
    let found = if code.starts_with('E') { report.error_codes() } else { report.codes() };
    if found == BTreeSet::from([code]) {
        Ok(())
    } else {
        Err(format!("it should have {code}\n{}", report.rendered()))
    }
}

/// A page of docs/src/errors is about a code that exists, shows it, and how to correct it.
pub fn check_error_page(code: &str, markdown: &str) -> Verdict {
    // It takes a program too long to print.
    const NOT_SHOWN: &[&str] = &["E0106"];
    if !norn_base::codes::ALL.iter().any(|(known, _)| known.0 == code) {
        return Err(format!("there is no code {code}"));
    }
    let blocks = blocks(markdown);
    let has = |info: &str| blocks.iter().any(|b| b.info == info);
    if NOT_SHOWN.contains(&code) || has(&format!("norn-fail {code}")) && has("norn") {
        Ok(())
    } else {
        Err(format!("the page of {code} needs a `norn-fail {code}` and a `norn` block"))
    }
}
