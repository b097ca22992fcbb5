//! What the formatter promises: layout changes, nothing else does, and once is enough.

use crate::Verdict;
use crate::program::{Message, check_text, messages};
use norn::testing::Subject;
use norn::{FsLoader, ParsedFile, check_source, parse_bytes};
use norn_check::Loader;

/// Checks the promise for the file `name`; what it imports comes from `loader`. A text with syntax
/// errors is not the formatter's business.
pub fn check_layout(name: &str, text: &str, loader: &mut dyn Loader) -> Verdict {
    let Some(formatted) = check_layout_alone(name, text)? else { return Ok(()) };
    // What is as it should be is the same program.
    if formatted == text {
        return Ok(());
    }
    let before = check_text(name, text, loader).messages();
    compare(&before, &check_text(name, &formatted, loader).messages(), &formatted)
}

/// The same for a program that is tested in other ways, too.
pub fn check_layout_of(subject: &Subject) -> Verdict {
    let outcome = subject.outcome()?;
    let [main, ..] = outcome.sources.files() else { return Ok(()) };
    let Some(formatted) = check_layout_alone(&main.name, &main.text)? else { return Ok(()) };
    if *formatted == *main.text {
        return Ok(());
    }
    let after = check_source(&main.name, &formatted, &mut FsLoader);
    compare(&messages(&outcome.diagnostics), &messages(&after.diagnostics), &formatted)
}

fn compare(before: &[Message], after: &[Message], formatted: &str) -> Verdict {
    if before == after {
        return Ok(());
    }
    Err(format!("formatted, it checks differently:\n{before:#?}\n{after:#?}\n{formatted}"))
}

/// The same, without checking the program. Returns the formatted text.
pub fn check_layout_alone(name: &str, text: &str) -> Result<Option<String>, String> {
    let original = parse_bytes(name, text.into());
    let Some(once) = format(&original) else { return Ok(None) };
    let reparsed = parse_bytes(name, once.clone().into());
    let Some(twice) = format(&reparsed) else {
        let said = norn::render_all(&reparsed.sources, &reparsed.diagnostics, norn::Paint::Plain);
        return Err(format!("formatted, it has syntax errors:\n{said}\n{once}"));
    };
    if once != twice {
        return Err(format!("formatting twice changes more than once:\n{once}\n=====\n{twice}"));
    }
    if comments(&original) != comments(&reparsed) {
        return Err(format!("formatting changes comments:\n{once}"));
    }
    if skeleton(&original) != skeleton(&reparsed) {
        return Err(format!("formatting changes the program:\n{once}"));
    }
    Ok(Some(once))
}

fn format(file: &ParsedFile) -> Option<String> {
    let syntax = file.syntax.as_ref().filter(|_| !file.diagnostics.has_errors())?;
    Some(syntax.format(&file.sources.file(file.root).text))
}

/// The comments, however they are indented.
fn comments(file: &ParsedFile) -> Vec<Vec<&str>> {
    let list = file.syntax.iter().flat_map(|s| &s.comments.list);
    list.map(|c| c.text.lines().map(str::trim).collect()).collect()
}

/// The tree without places, identities, and blanks at the end of lines of documentation.
fn skeleton(file: &ParsedFile) -> String {
    let tree = file.syntax.as_ref().map(|s| format!("{:?}", s.prog)).unwrap_or_default();
    let mut out = String::with_capacity(tree.len());
    let mut rest = tree.as_str();
    while let Some(at) = ["Span {", "NodeId("].iter().filter_map(|word| rest.find(word)).min() {
        out.push_str(&rest[..at]);
        let end = rest[at..].find(if rest[at..].starts_with('S') { '}' } else { ')' });
        rest = &rest[at + end.unwrap_or(0) + 1..];
    }
    out.push_str(rest);
    while out.contains(" \\n") || out.contains(" \"") {
        out = out.replace(" \\n", "\\n").replace(" \"", "\"");
    }
    out
}
