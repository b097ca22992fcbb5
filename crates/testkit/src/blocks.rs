//! The programs in documents.
//!
//! A block fenced as `norn` is a program without a fault whose test blocks hold, one fenced as
//! `norn-fail CODE` has faults of that code only (a name may follow). Each program is the file `main.fut`; one fenced as
//! `norn NAME` is the file NAME, which the blocks after it may import, and so is `norn-file NAME`, which need not
//! be a program. Blocks with any other fence are not looked at: commands (`console`) are run by
//! `crates/norn/tests/manual.rs`.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::program::{InMemory, check_text};
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
}

pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (i, line) in markdown.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Block { info: info.trim().into(), text: String::new(), line: i + 1 })
            }
            (None, None) => {}
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    found
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
        let verdict = match claim(&block) {
            None => Ok(()),
            Some(Claim::File(name)) => {
                files.0.insert(name.into(), block.text);
                Ok(())
            }
            Some(Claim::Faultless(name)) => {
                files.0.insert(name.into(), block.text.clone());
                check_program(name, &block.text, &mut files)
            }
            Some(Claim::Faults(code)) => {
                files.0.insert(MAIN.into(), block.text.clone());
                check_faults(code, &block.text, &mut files)
            }
        };
        let place = |why| format!("the block at line {}: {why}", block.line);
        complaints.extend(verdict.map_err(place).err());
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Checks that a program has no fault, and that its test blocks hold, if it has any.
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

fn check_faults(code: &str, text: &str, files: &mut InMemory) -> Verdict {
    let report = check_text(MAIN, text, files);
    let found = if code.starts_with('E') { report.error_codes() } else { report.codes() };
    if found == BTreeSet::from([code]) {
        Ok(())
    } else {
        Err(format!("it should have {code}\n{}", report.rendered()))
    }
}

/// A page of docs/src/errors is about a code that exists, shows it, and how to mend it.
pub fn check_error_page(code: &str, markdown: &str) -> Verdict {
    // The first takes a program too long to print; the second is not found by checking.
    const NOT_SHOWN: &[&str] = &["E0106", "E0801"];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found() {
        let found = blocks("a\n```norn-fail E0301\nx\ny\n```\n\n```\nz\n```\n");
        let expected = [("norn-fail E0301", "x\ny\n", 2), ("", "z\n", 7)];
        let expected =
            expected.map(|(info, text, line)| Block { info: info.into(), text: text.into(), line });
        assert_eq!(found, expected);
    }
}
