//! Programs and their canonical layout.
//!
//! Beside each `tests/format/NAME.fut` stands `NAME.fmt`, the text that formatting it must give;
//! `BLESS=1` rewrites it. Of every program, and of every variant of it with a comment or a line
//! break somewhere else, it is also checked that formatting what was formatted changes nothing,
//! that the tree stays the same, and that no comment is lost.

use std::fs;
use std::path::{Path, PathBuf};

use norn_base::FileId;
use norn_syntax::ast::NodeIds;
use norn_syntax::lexer::lex;
use norn_syntax::{Parsed, format, parse};

#[test]
fn golden_files() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = Vec::new();
    for (path, text) in programs() {
        let expectation = path.with_extension("fmt");
        let formatted = format_text(&text);
        if bless {
            fs::write(&expectation, &formatted).expect("an expectation can be written");
        }
        let expected = fs::read_to_string(&expectation).unwrap_or_default();
        if formatted != expected {
            failures.push(format!("{}: got\n{formatted}\nnot\n{expected}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn formatting_keeps_the_program_and_is_stable() {
    for (_, text) in programs() {
        check(&text);
    }
}

#[test]
fn comments_and_line_breaks_may_stand_anywhere() {
    let fillings = [" ", "\n", "\n\n\n", " -- here\n", "\n-- here\n", " -- here\n\n-- there\n\n"];
    for (_, text) in programs() {
        for (gap, filling) in gaps(&text).into_iter().zip(fillings.into_iter().cycle()) {
            check(&format!("{}{filling}{}", &text[..gap.start], &text[gap.end..]));
        }
    }
}

#[test]
fn long_chains_need_no_deep_stack() {
    const STACK: usize = 256 << 20;
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(|| {
            let repeat = |n: usize, link: &str| link.repeat(n);
            check_size(&format!("def main x = {}x", repeat(20_000, "let y = x + 1 in ")));
            check_size(&format!("def main x = {}x", repeat(20_000, "if x == 1 then 2 else ")));
            check_size(&format!("def main x = {}x", repeat(50_000, "x + ")));
            check_size(&format!("def main x = x{}", repeat(20_000, " |> f")));
            check_size(&format!("def main x = x{}", repeat(20_000, " with [0] = 1")));
            check_size(&format!("def main = [{}1]", repeat(100_000, "1, ")));
            check_size(&format!("def main = {}x{}", repeat(1_000, "f y ("), repeat(1_000, ")")));
        })
        .expect("a thread can be started")
        .join()
        .expect("the formatter does not overflow its stack");
}

/// The caller does not ask for it, but it must not harm.
#[test]
fn programs_with_errors_do_not_panic() {
    for (_, text) in programs() {
        for (end, _) in text.char_indices().step_by(7) {
            let cut = &text[..end];
            let parsed = parse(FileId(0), cut, &mut NodeIds::default());
            format(cut, &parsed.prog, &parsed.comments);
        }
    }
}

/// Formats, and checks what holds of all programs.
fn check(text: &str) {
    let before = parse_text(text);
    let once = format(text, &before.prog, &before.comments);
    let after = parse_text(&once);
    assert_eq!(shape(&before), shape(&after), "the tree has changed:\n{text}\n-->\n{once}");
    assert_eq!(comment_lines(&before), comment_lines(&after), "comments have changed:\n{text}\n-->\n{once}");
    let twice = format(&once, &after.prog, &after.comments);
    assert_eq!(once, twice, "formatting twice changes something:\n{text}");
}

/// For programs that are too large to be compared in every respect.
fn check_size(text: &str) {
    let once = format_text(text);
    assert!(once.len() > text.len() / 2);
    assert_eq!(once, format_text(&once));
}

/// The programs in tests/format and their paths.
fn programs() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/format");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("tests/format exists")
        .map(|entry| entry.expect("an entry of tests/format is readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "fut"))
        .collect();
    paths.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a test program is readable");
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

/// The stretches of blanks between tokens that contain no comment.
fn gaps(text: &str) -> Vec<std::ops::Range<usize>> {
    let tokens = lex(FileId(0), text).tokens;
    tokens
        .windows(2)
        .map(|pair| pair[0].hi as usize..pair[1].lo as usize)
        .filter(|gap| !gap.is_empty() && text[gap.clone()].trim().is_empty())
        .collect()
}

fn parse_text(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text, &mut NodeIds::default());
    let problems: Vec<_> = parsed.diagnostics.iter().collect();
    assert!(problems.is_empty(), "{problems:#?}\nin\n{text}");
    parsed
}

fn format_text(text: &str) -> String {
    let parsed = parse_text(text);
    format(text, &parsed.prog, &parsed.comments)
}

/// The tree without the places and identities of its nodes.
fn shape(parsed: &Parsed) -> String {
    let printed = format!("{:?}", parsed.prog);
    let mut out = String::with_capacity(printed.len());
    let mut rest = printed.as_str();
    while let Some((start, end)) = first_of(rest, [("Span {", '}'), ("NodeId(", ')')]) {
        out.push_str(&rest[..start]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Where the first of some things begins and ends, given how each does.
fn first_of<const N: usize>(text: &str, things: [(&str, char); N]) -> Option<(usize, usize)> {
    let (start, closing) =
        things.into_iter().filter_map(|(opening, closing)| Some((text.find(opening)?, closing))).min()?;
    let length = text[start..].find(closing)? + closing.len_utf8();
    Some((start, start + length))
}

/// The comments, sorted: one may change places with another, as when a comma moves.
fn comment_lines(parsed: &Parsed) -> Vec<&str> {
    let mut lines: Vec<&str> =
        parsed.comments.list.iter().flat_map(|c| c.text.lines()).map(str::trim).collect();
    lines.sort_unstable();
    lines
}
