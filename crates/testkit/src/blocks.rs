//! The programs in documents.
//!
//! A block fenced as `norn` is a program without a fault, one fenced as `norn-fail CODE` has
//! faults of that code only. `norn-file NAME` is a file that the blocks after it may import. Each
//! program is the file `main.fut`. Blocks with any other fence are not looked at.

use crate::Verdict;
use crate::program::{InMemory, check_text};
use std::collections::BTreeSet;

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
    Faultless,
    Faults(&'a str),
    File(&'a str),
}

fn claim(block: &Block) -> Option<Claim<'_>> {
    let (kind, rest) = block.info.split_once(' ').unwrap_or((&block.info, ""));
    match kind {
        "norn" => Some(Claim::Faultless),
        "norn-fail" => Some(Claim::Faults(rest.trim())),
        "norn-file" => Some(Claim::File(rest.trim())),
        _ => None,
    }
}

/// Checks every block of a document.
pub fn check_document(markdown: &str) -> Verdict {
    let mut files = InMemory::default();
    let mut complaints = Vec::new();
    for block in blocks(markdown) {
        let Some(claim) = claim(&block) else { continue };
        if let Claim::File(name) = claim {
            files.0.insert(name.into(), block.text);
            continue;
        }
        files.0.insert("main.fut".into(), block.text.clone());
        let report = check_text("main.fut", &block.text, &mut files);
        let (fine, claimed) = match claim {
            Claim::Faults(code) if code.starts_with('E') => {
                (report.error_codes() == BTreeSet::from([code]), code)
            }
            Claim::Faults(code) => (report.codes() == BTreeSet::from([code]), code),
            Claim::Faultless | Claim::File(_) => (report.codes().is_empty(), "no fault"),
        };
        if !fine {
            let rendered = report.rendered();
            complaints.push(format!("the block at line {} should have {claimed}:\n{rendered}", block.line));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// A page of docs/errors is about a code that exists, shows it, and how to mend it.
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
